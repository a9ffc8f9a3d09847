import { Hourglass } from 'lucide-react';
import { describeWindow } from '../words/describe-window.ts';
import styles from './composer.module.css';

const shownMs = 4 * 3_600_000;

/** How long the 24-hour window stays open, as soon as that matters. */
export function WindowCountdown({ minutes }: { minutes: number | undefined }) {
  if (minutes === undefined || minutes < 0 || minutes * 60_000 >= shownMs) return null;
  return (
    <p className={styles.window} data-soon={minutes < 60 || undefined} role="timer">
      <Hourglass size={14} aria-hidden />
      {describeWindow(minutes)}
    </p>
  );
}
