import { Download, X } from 'lucide-react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../../parts/button.tsx';
import { t } from '../../words/words.ts';
import styles from './lightbox.module.css';

interface Props {
  address: string;
  label: string;
  filename: string | undefined;
  onClose: () => void;
}

/** An image in its whole size, in front of the page. */
export function Lightbox({ address, label, filename, onClose }: Props) {
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay!}>
      <Modal className={styles.modal!}>
        <Dialog className={styles.dialog!} aria-label={label}>
          <header className={styles.bar}>
            <bdi className={styles.name}>{filename ?? label}</bdi>
            <a className={styles.download} href={address} download={filename ?? ''} aria-label={t('thread.download')}>
              <Download size={18} aria-hidden />
            </a>
            <Button look="quiet" aria-label={t('app.close')} onPress={onClose}>
              <X size={18} aria-hidden />
            </Button>
          </header>
          <img className={styles.image} src={address} alt={label} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
