import { CircleAlert, Hand, Loader } from 'lucide-react';
import type { PendingMessage } from '../../composer/outbox.ts';
import { t } from '../../words/words.ts';
import styles from './message-bubble.module.css';
import { MessageText } from './message-text.tsx';
import state from './pending-bubble.module.css';
import { nameOfKindOfMessage } from './people.ts';

const states = {
  sending: { icon: Loader, word: 'thread.sending' },
  failed: { icon: CircleAlert, word: 'thread.pending_failed' },
  held: { icon: Hand, word: 'thread.held' },
} as const;

/** A message that the service has not confirmed yet. */
export function PendingBubble({ pending }: { pending: PendingMessage }) {
  const { icon: Icon, word } = states[pending.state];
  const isNote = pending.kind === 'note';
  return (
    <div className={styles.line} data-side={isNote ? 'note' : 'end'} data-first data-pending={pending.key}>
      <div className={`${styles.bubble} ${state.pending}`} data-kind={isNote ? 'note' : 'outbound'}>
        {pending.filename && <bdi>{pending.filename}</bdi>}
        {pending.body ? (
          <MessageText text={pending.body} hasMentions={isNote} />
        ) : (
          !pending.filename && nameOfKindOfMessage(pending.kind)
        )}
        <p className={state.state} data-state={pending.state} role="status">
          <Icon size={14} aria-hidden />
          {t(word)}
        </p>
        {pending.failure && <p className={state.failure}>{pending.failure.sentence}</p>}
      </div>
    </div>
  );
}
