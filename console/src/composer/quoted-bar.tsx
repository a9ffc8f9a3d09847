import type { ThreadMessage } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { Reply, X } from 'lucide-react';
import { useState } from 'react';
import { threadOf, useThread } from '../live/messages.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { onOneLine } from '../words/on-one-line.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
// Loaded with the first quote: before it, there is nothing to forget.
import './forget-quoted.ts';
import { quotedStore } from './quoted.ts';

const kinds = ['image', 'video', 'file', 'voice'] as const;

interface Props {
  workspace_id: string;
  conversation: Conversation;
  quoted: ThreadMessage;
}

/** The message that the reply quotes. */
export function QuotedBar({ workspace_id, conversation, quoted }: Props) {
  const [thread] = useState(() => threadOf(workspace_id, conversation.id));
  // As it is by now: its author may have edited or deleted it.
  const items = useThread(thread).window?.items ?? [];
  const current = items.find((item) => item.type === 'message' && item.id === quoted.id) ?? quoted;
  const { direction, kind, body, filename, deleted_at } = current as ThreadMessage;
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
          {deleted_at
            ? t('thread.deleted')
            : (body && onOneLine(body)) || filename || t(named ? `composer.kind_${named}` : 'composer.kind_other')}
        </span>
      </div>
      <Button look="quiet" aria-label={t('composer.quote_remove')} onPress={() => quotedStore.set(undefined)}>
        <X size={16} aria-hidden />
      </Button>
    </div>
  );
}
