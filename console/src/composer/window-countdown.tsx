import { Hourglass } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { serverNow } from '../live/session.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';

const shownMs = 4 * 3_600_000;
const tickMs = 1_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}

/** The whole minutes until then by the server's clock; -1 when it is over. The value changes once a minute. */
export function useMinutesUntil(iso: string | undefined): number | undefined {
  return useSyncExternalStore(subscribe, () => {
    if (iso === undefined) return undefined;
    const leftMs = Date.parse(iso) - serverNow();
    return leftMs <= 0 ? -1 : Math.floor(leftMs / 60_000);
  });
}

/** How long the 24-hour window stays open, as soon as that matters. */
export function WindowCountdown({ minutes }: { minutes: number | undefined }) {
  if (minutes === undefined || minutes < 0 || minutes * 60_000 >= shownMs) return null;
  return (
    <p className={styles.window} data-soon={minutes < 60 || undefined} role="timer">
      <Hourglass size={14} aria-hidden />
      {wordsOf(minutes)}
    </p>
  );
}

function wordsOf(minutes: number): string {
  if (minutes === 0) return t('composer.window_ending');
  if (minutes < 60) return t('composer.window_minutes_left', { minutes });
  return t('composer.window_left', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
