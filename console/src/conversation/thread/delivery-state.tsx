import { DeliveryTick } from '../../parts/delivery-tick.tsx';
import { isWord, t } from '../../words/words.ts';
import styles from './delivery-state.module.css';

/** How far a message has come: a sign and its word, because a colour alone tells nobody. */
export function DeliveryState({ status }: { status: string }) {
  const id = `thread.${status}`;
  if (!isWord(id)) return null;
  return (
    <span className={styles.state} data-status={status}>
      <DeliveryTick status={status} hasWord />
      {t(id)}
    </span>
  );
}
