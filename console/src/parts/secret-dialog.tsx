import { Check, Copy, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './copy-box.module.css';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { Notice } from './notice.tsx';
import { saveFile } from './save-file.ts';

interface Props {
  title: string;
  hint: string;
  /** What is copied or saved, and the name of its file. */
  text: string;
  file: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows what is shown once. Only the person who says that it is saved closes it: a press beside it would lose it. */
export function SecretDialog({ title, hint, text, file, onClose, children }: Props) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }
  return (
    <Dialog title={title}>
      <Notice>{hint}</Notice>
      {children}
      <DialogActions>
        {/* On plain http a browser has no clipboard. */}
        {'clipboard' in navigator && (
          <Button onPress={copy}>
            {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
            {t(isCopied ? 'app.copied' : 'app.copy')}
          </Button>
        )}
        <Button onPress={() => saveFile(file, 'text/plain', text)}>
          <Download size={16} aria-hidden />
          {t('app.download')}
        </Button>
        <Button look="primary" onPress={onClose}>
          {t('app.secret_saved')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A key or a secret in one line. Its actions stand below. */
export function SecretText({ text, label }: { text: string; label: string }) {
  return (
    <input
      className={styles.text}
      dir="ltr"
      readOnly
      value={text}
      aria-label={label}
      onFocus={(event) => event.target.select()}
    />
  );
}
