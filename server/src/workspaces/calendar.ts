/** Days counted from 1970-01-01. They are the same in every zone, but begin at different moments. */
export interface DayRange {
  first: number;
  last: number;
}

export interface Period {
  /** ISO 8601: `2026-11-21`, `2026-W47`, `2026-11`. */
  label: string;
  starts_at: Date;
  /** Exclusive. */
  ends_at: Date;
}

export type Interval = 'day' | 'week' | 'month';

const msPerDay = 86_400_000;
// No row is older, and PostgreSQL reads no year of five digits.
const earliest = 0;
const latest = Date.UTC(10_000, 0) - 1;

/** The day of a date such as `2026-11-21`. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / msPerDay;
}

/** The moments from the start of the first day to the end of the last one in a zone; the end is exclusive. */
export function momentsOf({ first, last }: DayRange, timezone: string): { starts_at: Date; ends_at: Date } {
  const startOfDay = createStartOfDay(timezone);
  return { starts_at: startOfDay(first), ends_at: startOfDay(last + 1) };
}

/** How many periods a range overlaps. */
export function countPeriods({ first, last }: DayRange, interval: Interval): number {
  if (interval === 'day') return last - first + 1;
  if (interval === 'week') return (mondayOf(last) - mondayOf(first)) / 7 + 1;
  const [from, to] = [new Date(first * msPerDay), new Date(last * msPerDay)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() + 1;
}

/** The periods that a range overlaps, in order; the first and last are cut to the range. */
export function periodsOf({ first, last }: DayRange, interval: Interval, timezone: string): Period[] {
  const startOfDay = createStartOfDay(timezone);
  const periods: Period[] = [];
  let starts_at = startOfDay(first);
  for (let day = first; day <= last; ) {
    const next = Math.min(nextPeriod(day, interval), last + 1);
    const ends_at = startOfDay(next);
    periods.push({ label: labelOf(day, interval), starts_at, ends_at });
    [day, starts_at] = [next, ends_at];
  }
  return periods;
}

function nextPeriod(day: number, interval: Interval): number {
  if (interval === 'day') return day + 1;
  if (interval === 'week') return mondayOf(day) + 7;
  const date = new Date(day * msPerDay);
  return date.setUTCMonth(date.getUTCMonth() + 1, 1) / msPerDay;
}

function labelOf(day: number, interval: Interval): string {
  const text = new Date(day * msPerDay).toISOString();
  if (interval === 'day') return text.slice(0, 10);
  if (interval === 'month') return text.slice(0, 7);
  // A week belongs to the year of its Thursday.
  const thursday = mondayOf(day) + 3;
  const year = new Date(thursday * msPerDay).toISOString().slice(0, 4);
  const week = Math.floor((thursday - dayOf(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** 1970-01-01 was a Thursday. */
function mondayOf(day: number): number {
  const sinceMonday = (day + 3) % 7;
  return day - (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday);
}

/**
 * The first moment of a day in a zone. It is not always midnight: some clock changes skip midnight, some repeat it.
 */
function createStartOfDay(timezone: string): (day: number) => Date {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const localMs = (ms: number) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  };
  const dayAt = (ms: number) => Math.floor(localMs(Math.floor(ms / 1000) * 1000) / msPerDay);

  return (day) => {
    const midnight = day * msPerDay;
    if (midnight <= earliest) return new Date(earliest);
    if (midnight > latest) return new Date(latest);
    const guess = midnight - (localMs(midnight) - midnight);
    if (dayAt(guess) >= day && dayAt(guess - 1) < day) return new Date(guess);
    // Every zone is less than a day from UTC.
    let [before, after] = [midnight - msPerDay, midnight + msPerDay];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dayAt(middle) < day) before = middle;
      else after = middle;
    }
    return new Date(after);
  };
}
