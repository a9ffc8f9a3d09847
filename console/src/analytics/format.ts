import { currentLocale, t } from '../words/words.ts';
import { firstDayOf } from './date-range.ts';

export function formatCount(value: number): string {
  return new Intl.NumberFormat(currentLocale()).format(value);
}

export function formatShare(share: number): string {
  return new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** `45 sec`, `1.5 hr`: one unit, with one decimal below ten. */
export function formatDuration(value: number): string {
  const { unit, seconds } = units.find((one) => value >= one.seconds) ?? units[3];
  const count = value / seconds;
  const maximumFractionDigits = count < 10 && unit !== 'second' ? 1 : 0;
  return new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits,
  }).format(count);
}

/** `21 Nov`, `Week of 16 Nov`, `Nov 2026`. */
export function formatPeriod(period: string, isShort = false): string {
  const day = Date.parse(`${firstDayOf(period)}T00:00:00Z`);
  if (/^\d{4}-\d\d$/.test(period)) return formatDate(day, { month: 'short', year: 'numeric' });
  const text = formatDate(day, { day: 'numeric', month: 'short' });
  return period.includes('W') && !isShort ? t('analytics.week_of', { day: text }) : text;
}

/** `21 Nov 2026`. */
export function formatDay(day: string): string {
  return formatDate(Date.parse(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', year: 'numeric' });
}

function formatDate(ms: number, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), { ...parts, timeZone: 'UTC' }).format(ms);
}
