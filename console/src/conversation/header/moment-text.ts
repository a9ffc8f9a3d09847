import { currentLocale } from '../../words/words.ts';

/** A moment by the clocks of the workspace: `Wed 25 Nov, 09:00`. */
export function momentText(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit' },
  }).format(ms);
}
