import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { DialogActions } from './dialog-actions.tsx';
import { settleFocus } from './settle-focus.ts';

interface Props {
  title: string;
  /** Absent: nothing but the content of the dialog closes it. */
  onClose?: () => void;
  children: ReactNode;
}

/** A dialog in front of the page. Escape and a press outside close it. */
export function Dialog({ title, onClose, children }: Props) {
  useEffect(() => keepFocusAfter, []);
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => !isOpen && onClose?.()}
      className={styles.overlay!}
    >
      <Modal className={styles.modal!}>
        <AriaDialog className={styles.dialog!}>
          <header className={styles.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose && (
              <Button look="quiet" aria-label={t('app.close')} onPress={onClose}>
                <X size={18} aria-hidden />
              </Button>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * The button that opened the dialog may be gone, as after a removal, or go once the list is read again. Then the
 * keyboard goes on at the page.
 */
function keepFocusAfter(): void {
  settleFocus(() => {
    if (document.activeElement !== document.body) return false;
    document.getElementById('content')?.focus();
    return true;
  });
}

/** The end of a dialog that only shows something. */
export function DialogClose({ onClose }: { onClose: () => void }) {
  return (
    <DialogActions>
      <Button look="primary" onPress={onClose}>
        {t('app.close')}
      </Button>
    </DialogActions>
  );
}
