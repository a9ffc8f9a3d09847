import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { isWord, t } from '../words/words.ts';
import styles from './delivery-tick.module.css';

const icons = { queued: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck, failed: CircleAlert };

/** How far a message has come, as a sign. Its word is for those who do not see it, unless it stands beside the sign. */
export function DeliveryTick({ status, hasWord = false }: { status: string; hasWord?: boolean }) {
  const Icon = icons[status as keyof typeof icons];
  const id = `thread.${status}`;
  if (!Icon || !isWord(id)) return null;
  const word = hasWord ? { 'aria-hidden': true } : { role: 'img', 'aria-label': t(id) };
  return <Icon size={14} className={styles.tick} data-status={status} {...word} />;
}
