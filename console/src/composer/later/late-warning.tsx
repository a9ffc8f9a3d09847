import type { SendGate } from '@majlis/console-api';
import { Clock } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './later.module.css';

/** Whether the 24-hour window will be closed at that moment, as things stand. */
export function isBehindWindow(gate: SendGate | undefined, at: number): boolean {
  if (!gate) return false;
  return gate.window_expires_at === undefined || Date.parse(gate.window_expires_at) <= at;
}

interface Props {
  gate: SendGate | undefined;
  isTemplate?: boolean | undefined;
  at: number | undefined;
}

/** Why a message will not go out at that moment, as things stand. */
export function LateWarning({ gate, isTemplate, at }: Props) {
  const isClosed = gate?.template.code === 'conversation_closed';
  const isBehind = !isTemplate && at !== undefined && isBehindWindow(gate, at);
  if (!isClosed && !isBehind) return null;
  return (
    <p className={styles.warning} role="status">
      <Clock size={16} aria-hidden />
      {t(isClosed ? 'scheduled.is_closed' : 'scheduled.behind_window')}
    </p>
  );
}
