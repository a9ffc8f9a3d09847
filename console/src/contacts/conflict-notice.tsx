import { GitCompareArrows } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './edit-row.module.css';
import type { Conflict } from './use-edit.ts';

interface Props {
  field: string;
  conflict: Conflict;
  show: (value: unknown) => ReactNode;
  onKeep: () => void;
  onTake: () => void;
  isPending: boolean;
}

/** Both values of a member that two people changed, to choose from. */
export function ConflictNotice({ field, conflict, show, onKeep, onTake, isPending }: Props) {
  return (
    <div className={styles.conflict} role="alert">
      <p className={styles.conflictTitle}>
        <GitCompareArrows size={16} aria-hidden />
        {t('contact.conflict')}
      </p>
      <dl>
        <div>
          <dt>{t('contact.conflict_now')}</dt>
          <dd>{show(conflict.now)}</dd>
        </div>
        <div>
          <dt>{t('contact.conflict_yours')}</dt>
          <dd>{show(conflict.yours)}</dd>
        </div>
      </dl>
      <div className={styles.actions}>
        <Button onPress={onKeep} aria-label={`${field}: ${t('contact.keep_now')}`}>
          {t('contact.keep_now')}
        </Button>
        <Button
          look="primary"
          onPress={onTake}
          isPending={isPending}
          aria-label={`${field}: ${t('contact.take_yours')}`}
        >
          {t('contact.take_yours')}
        </Button>
      </div>
    </div>
  );
}
