import type { BroadcastState } from '@majlis/console-api';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

/** How far a broadcast has come that neither waits for its time nor has ended: those who have an outcome, of all. */
export function Progress({ state: { broadcast, paused } }: { state: BroadcastState }) {
  const { total, queued = 0 } = broadcast.counts;
  if (broadcast.status !== 'sending') return null;
  return (
    <progress
      className={styles.progress}
      data-still={paused || undefined}
      max={Math.max(1, total)}
      value={total - queued}
      aria-label={t('broadcasts.progress')}
    />
  );
}
