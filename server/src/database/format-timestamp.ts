const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
// Of the days met last, by the end of their number: the timestamps of a page are of few.
const days = new Float64Array(64).fill(Number.NaN);
const dates: string[] = Array.from(days, () => '');

/**
 * A moment as the contract writes it, `2026-11-20T10:00:00.123Z`. As `toISOString()`, in a third of its time where the
 * day was met before: a page of a list has eighty of them.
 */
export function formatTimestamp(moment: Date): string {
  const ms = moment.getTime();
  const day = Math.floor(ms / dayMs);
  const place = day & 63;
  if (days[place] !== day) {
    days[place] = day;
    dates[place] = moment.toISOString().slice(0, -13);
  }
  const time = ms - day * dayMs;
  const [hours, minutes, seconds] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
  ];
  const rest = time % 1000;
  return `${dates[place]}${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds]}.${Math.floor(rest / 100)}${twoDigits[rest % 100]}Z`;
}
