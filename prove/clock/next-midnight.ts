import { day, hour } from './rule.ts';

// Muscat is four hours ahead of Greenwich all the year round, so that the expected moments follow from that alone.
const ahead_ms = 4 * hour;

/** The next beginning of a day, of a week (on Monday) or of a month in Muscat. */
export function nextMidnight(now_ms: number, interval: 'day' | 'week' | 'month'): number {
  const isFirst = { day: () => true, week: (date: Date) => date.getUTCDay() === 1, month: isFirstOfMonth }[interval];
  let midnight = Math.floor((now_ms + ahead_ms) / day) * day;
  do midnight += day;
  while (!isFirst(new Date(midnight)));
  return midnight - ahead_ms;
}

/** The date in Muscat, as the contract writes it. */
export function dateOf(ms: number): string {
  return new Date(ms + ahead_ms).toJSON().slice(0, 10);
}

function isFirstOfMonth(date: Date): boolean {
  return date.getUTCDate() === 1;
}
