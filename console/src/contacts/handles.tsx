import type { Contact } from '@majlis/contract';
import { AtSign, Check, Copy, Globe, Mail, MessageCircle, Phone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { attempt } from '../app/attempt.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './contact-panel.module.css';

const icons: Record<string, ReactNode> = {
  chatapp: <MessageCircle size={16} aria-hidden />,
  sms: <Phone size={16} aria-hidden />,
  email: <Mail size={16} aria-hidden />,
  webchat: <Globe size={16} aria-hidden />,
};

/** The addresses of a contact, to copy. */
export function Handles({ identities }: Pick<Contact, 'identities'>) {
  return (
    <ul className={styles.handles}>
      {identities.map(({ channel_type, identifier, display_name }) => (
        <li key={`${channel_type} ${identifier}`}>
          {icons[channel_type] ?? <AtSign size={16} aria-hidden />}
          <span className={styles.handle}>
            <bdi dir="ltr">{identifier}</bdi>
            {display_name && (
              <small>
                <bdi>{display_name}</bdi>
              </small>
            )}
          </span>
          <CopyButton text={identifier} />
        </li>
      ))}
    </ul>
  );
}

/** On plain http a browser has no clipboard: there the text is selected. */
function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await attempt(() => navigator.clipboard.writeText(text));
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  if (!('clipboard' in navigator)) return null;
  return (
    <Button look="quiet" aria-label={t('contact.copy', { value: isolated(text) })} onPress={copy}>
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {isCopied && (
        <span role="status" className={styles.hidden}>
          {t('app.copied')}
        </span>
      )}
    </Button>
  );
}
