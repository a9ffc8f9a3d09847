import type { QuietHours } from '@majlis/console-api';

const minutesPerDay = 1_440;
const minuteMs = 60_000;

/** Whether it is quiet now in the zone, and when that changes. Hours that end before they begin last over midnight. */
export function evaluateQuietHours(
  { from, until }: QuietHours,
  timezone: string,
  now: Date,
): { quiet_now: boolean; changes_at: Date } {
  const minuteOfDay = createMinuteOfDay(timezone);
  const [begin, end] = [minutesOf(from), minutesOf(until)];
  const isQuiet = sinceMinute(begin, minuteOfDay(now)) < sinceMinute(begin, end);
  return { quiet_now: isQuiet, changes_at: nextMoment(isQuiet ? end : begin, now, minuteOfDay) };
}

/** Whether the text is a time of day such as 22:00. */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** The minutes from one time of day to the next occurrence of another. */
function sinceMinute(from: number, to: number): number {
  return (to - from + minutesPerDay) % minutesPerDay;
}

/** The next moment at which clocks of the zone show this minute, or skip it. */
function nextMoment(minute: number, now: Date, minuteOfDay: (moment: Date) => number): Date {
  const startOfMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const distance = sinceMinute(minuteOfDay(now), minute) || minutesPerDay;
  const guess = startOfMinute + distance * minuteMs;
  // A change of the clocks in between moves the moment by its length, which is half a day at most.
  const late = sinceMinute(minute, minuteOfDay(new Date(guess)));
  const shift = late > minutesPerDay / 2 ? late - minutesPerDay : late;
  return new Date(Math.max(guess - shift * minuteMs, startOfMinute + minuteMs));
}

function createMinuteOfDay(timezone: string): (moment: Date) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    return parts.get('hour')! * 60 + parts.get('minute')!;
  };
}
