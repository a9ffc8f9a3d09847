/** Days such as `2026-11-21`, both included. */
export interface DateRange {
  from: string;
  to: string;
}

export const presets = ['today', 'yesterday', 'last_7', 'last_30', 'last_90', 'this_month', 'last_month'] as const;
export type Preset = (typeof presets)[number];
export const defaultPreset: Preset = 'last_30';

export type Interval = 'day' | 'week' | 'month';

const msPerDay = 86_400_000;

/** The day that it is now in a time zone. */
export function todayIn(timeZone: string, nowMs: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowMs);
}

export function rangeOf(preset: Preset, today: string): DateRange {
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last_7':
      return { from: addDays(today, -6), to: today };
    case 'last_30':
      return { from: addDays(today, -29), to: today };
    case 'last_90':
      return { from: addDays(today, -89), to: today };
    case 'this_month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'last_month': {
      const end = addDays(`${today.slice(0, 7)}-01`, -1);
      return { from: `${end.slice(0, 7)}-01`, to: end };
    }
  }
}

export function addDays(day: string, days: number): string {
  return new Date(msOf(day) + days * msPerDay).toISOString().slice(0, 10);
}

/** How many days the range has; 0 where it is none. */
export function countDays({ from, to }: DateRange): number {
  const days = (msOf(to) - msOf(from)) / msPerDay + 1;
  return Number.isFinite(days) && days > 0 ? days : 0;
}

/** Rows of a readable number. */
export function intervalFor(range: DateRange): Interval {
  const days = countDays(range);
  if (days <= 45) return 'day';
  return days <= 370 ? 'week' : 'month';
}

/** The day at which a period begins: `2026-11-21`, `2026-W47` or `2026-11`. */
export function firstDayOf(period: string): string {
  const [, year, week] = /^(\d{4})-W(\d\d)$/.exec(period) ?? [];
  if (year === undefined) return period.length === 7 ? `${period}-01` : period;
  // The week with the fourth of January is the first.
  const fourth = `${year}-01-04`;
  const sinceMonday = (new Date(msOf(fourth)).getUTCDay() + 6) % 7;
  return addDays(fourth, (Number(week) - 1) * 7 - sinceMonday);
}

function msOf(day: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
}
