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
  const isQuiet = (minute: number) => sinceMinute(begin, minute) < sinceMinute(begin, end);
  const quiet_now = isQuiet(minuteOfDay(now));
  return { quiet_now, changes_at: findMinute(now, minuteOfDay, (minute) => isQuiet(minute) !== quiet_now) };
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

/** The next minute that fits by the clocks of the zone. Clocks are changed at the start of a quarter of an hour. */
function findMinute(now: Date, minuteOfDay: (moment: Date) => number, isFit: (minute: number) => boolean): Date {
  let at = Math.floor(now.getTime() / minuteMs);
  let shown = minuteOfDay(now);
  do {
    at++;
    shown = at % 15 === 0 ? minuteOfDay(new Date(at * minuteMs)) : shown + 1;
  } while (!isFit(shown));
  return new Date(at * minuteMs);
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
