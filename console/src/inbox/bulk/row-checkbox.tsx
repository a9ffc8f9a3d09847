import { Check } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './row-checkbox.module.css';
import { toggleSelected, useIsSelected, useIsSelecting } from './selection.ts';

/** Stands over the picture of the contact while the pointer is over the row, and while conversations are selected. */
export function RowCheckbox({ id, name }: { id: string; name: string }) {
  const isSelected = useIsSelected(id);
  const isSelecting = useIsSelecting();
  return (
    <label className={styles.box} data-selecting={isSelecting || undefined} data-selected={isSelected || undefined}>
      <input
        type="checkbox"
        checked={isSelected}
        tabIndex={isSelecting ? 0 : -1}
        aria-label={t('bulk.select', { name })}
        onChange={() => toggleSelected(id)}
      />
      <span className={styles.mark} aria-hidden>
        <Check size={14} />
      </span>
    </label>
  );
}
