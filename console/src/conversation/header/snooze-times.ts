import type { BusinessHours } from '@majlis/console-api';
import { momentOfWallTime, type WallTime, wallTimeAt } from '../../words/wall-time.ts';

/** The first working day of the week: Sunday where the weekend is Friday and Saturday. */
export function firstWorkday(country: string | undefined): number {
  const sundayCountries = ['BH', 'DZ', 'EG', 'IQ', 'JO', 'KW', 'LY', 'OM', 'PS', 'QA', 'SA', 'SD', 'SY', 'YE'];
  return country !== undefined && sundayCountries.includes(country) ? 0 : 1;
}

export type SnoozeChoice = 'later_today' | 'tomorrow' | 'next_open_day' | 'next_week';

interface Place {
  timezone: string;
  country?: string | undefined;
  /** Undefined: the business is never closed. */
  hours?: BusinessHours | undefined;
}

/** An open part of a day, in minutes. */
type Span = readonly [from: number, until: number];

const minutesPerDay = 1_440;
const laterHours = 3;
/** Where no hours are set: nobody wants a conversation back at night. */
const usualDay: Span = [9 * 60, 19 * 60];
/** A business that is closed for longer has no next open day. */
const mostDays = 400;

/** The moments that the menu offers, all in the hours of the business. Two choices of one moment are one. */
export function snoozeMoments(
  now: number,
  { timezone, country, hours }: Place,
): { choice: SnoozeChoice; until: number }[] {
  const { year, month, day, hour, weekday } = wallTimeAt(now, timezone);
  /** The first open moment of a day, at this minute or later. */
  function openOn(days: number, minute = 0): number | undefined {
    const date = { year, month, day: day + days };
    const span = spansOf(date, hours).find(([, until]) => until > minute);
    return span && momentOfWallTime({ ...date, hour: 0, minute: Math.max(minute, span[0]) }, timezone);
  }
  function firstOpen(days: number): { days: number; until: number | undefined } {
    const distances = Array.from({ length: mostDays }, (_, n) => days + n);
    const found = distances.find((distance) => openOn(distance) !== undefined) ?? days;
    return { days: found, until: openOn(found) };
  }
  const next = firstOpen(1);
  const daysToWeek = (firstWorkday(country) - weekday + 7) % 7 || 7;
  const offered: { choice: SnoozeChoice; until: number | undefined }[] = [
    { choice: 'later_today', until: openOn(0, (hour + laterHours) * 60) },
    { choice: next.days === 1 ? 'tomorrow' : 'next_open_day', until: next.until },
    { choice: 'next_week', until: firstOpen(daysToWeek === 1 ? 8 : daysToWeek).until },
  ];
  return offered.flatMap(({ choice, until }, n) => {
    const isKnown = until === undefined || offered.slice(0, n).some((other) => other.until === until);
    return isKnown ? [] : [{ choice, until }];
  });
}

function spansOf(
  { year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>,
  hours: BusinessHours | undefined,
): Span[] {
  if (!hours) return [usualDay];
  const date = new Date(Date.UTC(year, month - 1, day));
  const text = date.toISOString().slice(0, 10);
  if (hours.closed_days.some((closed) => closed.date === text)) return [];
  return hours.weekly[date.getUTCDay()]!.map(({ from, until }) => [minuteOf(from), minuteOf(until) || minutesPerDay]);
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}
