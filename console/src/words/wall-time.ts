/** A time on the wall clock of a place. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

export function wallTimeAt(ms: number, timeZone: string): WallTime & { weekday: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short', year: 'numeric' },
    ...{ month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return {
    year: Number(parts.year),
    month: Number(parts.month),
    day: Number(parts.day),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.weekday!),
  };
}

const dayMs = 86_400_000;

/**
 * The moment at which the clocks of a place show this time. Days beyond the end of a month count on into the next.
 * A time that the clocks skip becomes the later one; of a time that they show twice, the first counts.
 */
export function momentOfWallTime({ year, month, day, hour, minute }: WallTime, timeZone: string): number {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  function shownAt(ms: number): number {
    const shown = wallTimeAt(ms, timeZone);
    return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
  }
  /** By the offset of the clocks at about this moment. */
  const momentBy = (about: number) => asUtc - (shownAt(about) - about);
  const before = momentBy(asUtc - dayMs);
  if (shownAt(before) === asUtc) return before;
  const after = momentBy(asUtc + dayMs);
  return shownAt(after) === asUtc ? after : before;
}

/** The moment of a text such as `2026-11-26T09:00` by these clocks. Undefined for any other text. */
export function momentOfText(text: string, timeZone: string): number | undefined {
  const [, ...numbers] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(text) ?? [];
  const [year, month, day, hour, minute] = numbers.map(Number);
  if (minute === undefined) return undefined;
  return momentOfWallTime({ year: year!, month: month!, day: day!, hour: hour!, minute }, timeZone);
}

const two = (value: number) => String(value).padStart(2, '0');

/** The text of a moment by these clocks, as a field of a date and a time takes it. */
export function textOfMoment(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute } = wallTimeAt(ms, timeZone);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}
