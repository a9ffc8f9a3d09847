import { wallTimeAt } from '../../words/wall-time.ts';
import { currentLocale } from '../../words/words.ts';

/**
 * A moment by the clocks of the workspace: `Wed 25 Nov, 09:00`. For a person whose own clock shows another time, as the times of the
 * messages do, it names the zone: `Wed 25 Nov, 09:00 GMT+4`.
 */
export function momentText(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
    ...(!isOwnTime(ms, timeZone) && { timeZoneName: 'short' }),
  }).format(ms);
}

function isOwnTime(ms: number, timeZone: string): boolean {
  const { hour, minute } = wallTimeAt(ms, timeZone);
  const own = new Date(ms);
  return hour === own.getHours() && minute === own.getMinutes();
}
