import { ArrowDown } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './thread-list.module.css';

/** Leads back to the newest message, and says how many came meanwhile. */
export function NewestButton({ newCount, onPress }: { newCount: number; onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.newest}
      data-new={newCount > 0 || undefined}
      aria-label={
        newCount > 0 ? `${t('thread.to_newest')}, ${t('thread.new_count', { count: newCount })}` : t('thread.to_newest')
      }
      onClick={onPress}
    >
      {newCount > 0 && <span>{t('thread.new_count', { count: newCount })}</span>}
      <ArrowDown size={18} aria-hidden />
    </button>
  );
}
