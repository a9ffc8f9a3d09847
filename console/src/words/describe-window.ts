import { t } from './words.ts';

/** `1 h 5 min left to write freely`, of whole minutes. */
export function describeWindow(minutes: number): string {
  if (minutes === 0) return t('composer.window_ending');
  if (minutes < 60) return t('composer.window_minutes_left', { minutes });
  return t('composer.window_left', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
