import type { ThreadMessage } from '@majlis/console-api';
import { previewText } from '../../words/preview-text.ts';
import { t } from '../../words/words.ts';
import { nameOfKindOfMessage } from './people.ts';
import styles from './quote.module.css';

interface Props {
  quoted: NonNullable<ThreadMessage['quoted']>;
  contact_name: string;
  onJump: (id: string) => void;
}

/** The message that a message answers. A press goes there. */
export function Quote({ quoted, contact_name, onJump }: Props) {
  const text = quoted.body || quoted.unreadable_type ? previewText(quoted) : nameOfKindOfMessage(quoted.kind);
  const name = quoted.direction === 'inbound' ? contact_name : t('thread.you');
  return (
    <button
      type="button"
      className={styles.quote}
      aria-label={`${t('thread.quote_go', { name })}: ${text}`}
      onClick={() => onJump(quoted.id)}
    >
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.text} dir="auto">
        {text}
      </span>
    </button>
  );
}
