import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './copy-box.module.css';

/** A secret or link to copy. On plain http a browser has no clipboard, so the text can be selected as well. */
export function CopyBox({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }
  return (
    <div className={styles.box}>
      <input
        className={styles.text}
        dir="ltr"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.target.select()}
      />
      {'clipboard' in navigator && (
        <Button onPress={copy}>
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {t(isCopied ? 'app.copied' : 'app.copy')}
        </Button>
      )}
    </div>
  );
}
