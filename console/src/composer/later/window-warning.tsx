import type { SendGate } from '@majlis/console-api';
import { Clock } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './later.module.css';

/** Whether the 24-hour window will be closed at that moment, as things stand. */
export function isBehindWindow(gate: SendGate | undefined, at: number): boolean {
  if (!gate) return false;
  return gate.window_expires_at === undefined || Date.parse(gate.window_expires_at) <= at;
}

export function WindowWarning() {
  return (
    <p className={styles.warning} role="status">
      <Clock size={16} aria-hidden />
      {t('scheduled.behind_window')}
    </p>
  );
}
