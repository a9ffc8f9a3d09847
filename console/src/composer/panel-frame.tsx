import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './panel.module.css';

interface Props {
  title: string;
  /** Absent: the panel stays open, as the templates of a closed window do. */
  onClose?: (() => void) | undefined;
  closeLabel?: string;
  children: ReactNode;
}

/** A part of the composer that opens above the field. Escape closes it. */
export function PanelFrame({ title, onClose, closeLabel, children }: Props) {
  return (
    <section
      className={styles.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !onClose) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h3>{title}</h3>
        {onClose && (
          <Button look="quiet" aria-label={closeLabel ?? t('app.close')} onPress={onClose}>
            <X size={16} aria-hidden />
          </Button>
        )}
      </header>
      {children}
    </section>
  );
}
