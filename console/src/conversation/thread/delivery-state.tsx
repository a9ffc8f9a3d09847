import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { isWord, t } from '../../words/words.ts';
import styles from './delivery-state.module.css';

const icons = { queued: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck, failed: CircleAlert };

/** How far a message has come: a sign and its word, because a colour alone tells nobody. */
export function DeliveryState({ status }: { status: string }) {
  const Icon = icons[status as keyof typeof icons];
  const id = `thread.${status}`;
  if (!Icon || !isWord(id)) return null;
  return (
    <span className={styles.state} data-status={status}>
      <Icon size={14} aria-hidden />
      {t(id)}
    </span>
  );
}
