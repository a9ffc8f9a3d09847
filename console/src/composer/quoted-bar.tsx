import type { Conversation } from '@majlis/contract';
import { Reply, X } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { onOneLine } from '../words/on-one-line.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import { quotedStore } from './quoted.ts';

const kinds = ['image', 'video', 'file', 'voice'] as const;

/** The message that the reply quotes. */
export function QuotedBar({ conversation }: { conversation: Conversation }) {
  const quoted = useStore(quotedStore);
  if (quoted?.conversation_id !== conversation.id) return null;
  const { direction, kind, body, filename } = quoted;
  const named = kinds.find((known) => known === kind);
  const name = conversation.contact_name ?? conversation.contact_handle ?? t('inbox.unnamed');
  return (
    <div className={styles.quoted}>
      <Reply size={16} data-directional aria-hidden />
      <div className={styles.quote}>
        <strong>
          {direction === 'inbound' ? t('composer.quoting', { name: isolated(name) }) : t('composer.quoting_own')}
        </strong>
        <span dir="auto">
          {(body && onOneLine(body)) || filename || t(named ? `composer.kind_${named}` : 'composer.kind_other')}
        </span>
      </div>
      <Button look="quiet" aria-label={t('composer.quote_remove')} onPress={() => quotedStore.set(undefined)}>
        <X size={16} aria-hidden />
      </Button>
    </div>
  );
}
