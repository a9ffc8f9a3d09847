import { currentLocale } from '../words/words.ts';

/** A moment by the clocks of the workspace, with its year: a broadcast may lie far ahead or behind. */
export function timeIn(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit' },
  }).format(new Date(iso));
}
