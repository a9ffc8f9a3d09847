import type { BusinessHours } from '@majlis/console-api';
import type { ErrorDetail } from '@majlis/contract';

const minutesPerDay = 1_440;
const msPerMinute = 60_000;
const msPerDay = 86_400_000;
/** Clocks go back by an hour; those of Troll in Antarctica by two. */
const mostRepeatedMinutes = 120;
/** A business that is closed for longer has no next opening to tell. */
const mostDays = 400;

/** What the clocks of a zone show: the day counted from 1970-01-01, and the minute in it. */
interface LocalTime {
  day: number;
  minute: number;
}

/** Whether the business is open, by the clocks of its zone. */
export interface Opening {
  is_open: boolean;
  /** Of a closed moment: the last closing, which names the closed period. `always` where there was none. */
  closed_since?: string;
  /** Of a closed moment: the next opening, as `2026-11-26T09:00`. */
  opens?: string;
}

/**
 * Everything is reckoned in local time, so the hours need no moments. In the hour that a change of the clocks repeats, they
 * count twice.
 */
export function evaluateHours(hours: BusinessHours, timezone: string, now: Date): Opening {
  const clock = clockOf(timezone);
  const at = clock(now.getTime());
  const closed = new Set(hours.closed_days.map(({ date }) => date));
  const spansOf = (day: number) => (closed.has(dateOf(day)) ? [] : hours.weekly[weekdayOf(day)]!.map(minutesOf));
  const isOpen = spansOf(at.day).some(([from, until]) => from <= at.minute && at.minute < until);
  if (isOpen) return { is_open: true };
  const opens = findOpening(at, spansOf);
  const closed_since = findClosing(latestShown(clock, now.getTime()), spansOf) ?? 'always';
  return { is_open: false, closed_since, ...(opens && { opens }) };
}

type Span = readonly [from: number, until: number];

function findOpening({ day, minute }: LocalTime, spansOf: (day: number) => Span[]): string | undefined {
  for (let distance = 0; distance <= mostDays; distance++) {
    const starts = spansOf(day + distance).map(([from]) => from);
    // The spans of a day are in order.
    const next = starts.find((from) => distance > 0 || from > minute);
    if (next !== undefined) return textOf(day + distance, next);
  }
  return undefined;
}

function findClosing({ day, minute }: LocalTime, spansOf: (day: number) => Span[]): string | undefined {
  for (let distance = 0; distance <= mostDays; distance++) {
    const ends = spansOf(day - distance).map(([, until]) => until);
    const last = ends.findLast((until) => distance > 0 || until <= minute);
    if (last !== undefined) return textOf(day - distance, last);
  }
  return undefined;
}

function textOf(day: number, minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'));
  return `${dateOf(day)}T${hours}:${minutes}`;
}

const dateOf = (day: number): string => new Date(day * msPerDay).toISOString().slice(0, 10);
/** 1970-01-01 was a Thursday, and a week begins on Sunday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

function minutesOf({ from, until }: { from: string; until: string }): Span {
  return [minuteOf(from), minuteOf(until) || minutesPerDay];
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}

function clockOf(timezone: string): (ms: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!;
    return {
      day: Date.UTC(of('year'), of('month') - 1, of('day')) / msPerDay,
      minute: of('hour') * 60 + of('minute'),
    };
  };
}

/** What the clocks have shown at the latest. In an hour that they repeat, a closing behind them has passed already. */
function latestShown(clock: (ms: number) => LocalTime, now: number): LocalTime {
  const minutesAt = (ago: number) => {
    const { day, minute } = clock(now - ago * msPerMinute);
    return day * minutesPerDay + minute;
  };
  const present = minutesAt(0);
  const isBack = minutesAt(mostRepeatedMinutes) + mostRepeatedMinutes > present;
  let latest = present;
  for (let ago = 1; isBack && ago < mostRepeatedMinutes; ago++) latest = Math.max(latest, minutesAt(ago));
  return { day: Math.floor(latest / minutesPerDay), minute: latest % minutesPerDay };
}

const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Faults that the schema cannot express. */
export function findHoursFaults({ weekly, closed_days, away_message }: BusinessHours): ErrorDetail[] {
  const faults = weekly.flatMap((spans, day) => {
    let last = -1;
    return spans.flatMap((span, index): ErrorDetail[] => {
      const pointer = `/hours/weekly/${day}/${index}`;
      if (!isTime(span.from)) return [{ detail: 'is no time of day', pointer: `${pointer}/from` }];
      if (!isTime(span.until)) return [{ detail: 'is no time of day', pointer: `${pointer}/until` }];
      const [from, until] = minutesOf(span);
      if (from >= until) return [{ detail: 'must be later than the beginning', pointer: `${pointer}/until` }];
      if (from < last)
        return [{ detail: 'must begin after the end of the span before it', pointer: `${pointer}/from` }];
      last = until;
      return [];
    });
  });
  const days = closed_days.flatMap(({ date }, index): ErrorDetail[] => {
    const pointer = `/hours/closed_days/${index}/date`;
    if (!isDate(date)) return [{ detail: 'is no date such as 2026-12-18', pointer }];
    const isRepeated = closed_days.findIndex((other) => other.date === date) < index;
    return isRepeated ? [{ detail: 'is given more than once', pointer }] : [];
  });
  const isLong = away_message !== undefined && [...away_message].length > 4_096;
  const text = isLong ? [{ detail: 'must have at most 4096 characters', pointer: '/hours/away_message' }] : [];
  return [...faults, ...days, ...text];
}
