import type { ThreadMessage } from '@majlis/console-api';
import { Bot, Megaphone, StickyNote } from 'lucide-react';
import { type ComponentProps, Suspense } from 'react';
import { lazyPiece } from '../../parts/lazy-piece.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { isolated } from '../../words/isolated.ts';
import { fullTime, t } from '../../words/words.ts';
import { DeliveryState } from './delivery-state.tsx';
import { MessageActions } from './message-actions.tsx';
import styles from './message-bubble.module.css';
import { MessageContent } from './message-content.tsx';
import { bots, nameOfSender } from './people.ts';
import { Quote } from './quote.tsx';
import { Sources } from './sources.tsx';
import { timeOfDay } from './times.ts';

const FailureReason = lazyPiece(async () => (await import('./failure-reason.tsx')).FailureReason);

interface Props {
  workspace_id: string;
  contact_name: string;
  message: ThreadMessage;
  reactions: readonly ThreadMessage[];
  /** The first of a group bears the name of its sender. */
  isFirst: boolean;
  isReachable: boolean;
  /** A search hit or a quoted message that was jumped to. */
  isFlashing: boolean;
  /** Without what can be done with it. */
  isBare: boolean;
  onJump: (id: string) => void;
}

/** A message: of the customer at the start of the line, of the business at its end, a note of the team in a frame of its own. */
export function MessageBubble(props: Props) {
  const { workspace_id, contact_name, message, reactions, isFirst, isReachable, isFlashing, isBare, onJump } = props;
  const { id, kind, direction, actor_kind, status, quoted, sources, created_at, edited_at, deleted_at } = message;
  const { broadcast_id } = message;
  const isNote = kind === 'note';
  const isInbound = direction === 'inbound';
  const sender = nameOfSender(message, contact_name);
  const isBot = bots.has(actor_kind ?? '');
  const own = reactions.find((one) => one.direction === 'outbound')?.reaction?.emoji;
  const time = fullTime(created_at);
  const label = t(isNote ? 'thread.note_of' : 'thread.message_of', { name: sender, time });
  return (
    <article
      className={styles.line}
      data-id={id}
      data-message
      data-side={isNote ? 'note' : isInbound ? 'start' : 'end'}
      data-first={isFirst || undefined}
      data-flash={isFlashing || undefined}
      aria-label={label}
      tabIndex={isReachable ? 0 : -1}
    >
      <div
        className={styles.bubble}
        data-kind={isNote ? 'note' : isInbound ? 'inbound' : 'outbound'}
        data-failed={status === 'failed' || undefined}
      >
        {isNote && (
          <p className={styles.note}>
            <StickyNote size={14} aria-hidden />
            <strong>{t('thread.note')}</strong>
            <span className={styles.hint}>{t('thread.note_hint')}</span>
          </p>
        )}
        {isFirst && (
          <p className={styles.sender}>
            {isBot && <Bot size={14} aria-hidden />}
            <bdi>{sender}</bdi>
          </p>
        )}
        {quoted && <Quote quoted={quoted} contact_name={contact_name} onJump={onJump} />}
        <MessageContent workspace_id={workspace_id} message={message} sender={sender} />
        {sources && sources.length > 0 && <Sources sources={sources} />}
        <p className={styles.meta}>
          {broadcast_id && (
            <span className={styles.mark}>
              <Megaphone size={14} aria-hidden />
              {t('thread.broadcast')}
            </span>
          )}
          {edited_at && !deleted_at && <span title={fullTime(edited_at)}>{t('thread.edited')}</span>}
          <time dateTime={created_at} title={time}>
            {timeOfDay(created_at)}
          </time>
          {status && !isInbound && <DeliveryState status={status} />}
        </p>
        {status === 'failed' && (
          <Suspense>
            <FailureReason workspace_id={workspace_id} message={message} />
          </Suspense>
        )}
        {reactions.length > 0 && (
          <ul className={styles.reactions}>
            {reactions.map((one) => {
              const emoji = one.reaction!.emoji;
              const title = t('thread.reacted', { name: isolated(nameOfSender(one, contact_name)), emoji });
              return (
                <li key={one.id} title={title}>
                  <span role="img" aria-label={title}>
                    {emoji}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      {!isBare && <LateActions workspace_id={workspace_id} message={message} own={own} isReachable={isReachable} />}
    </article>
  );
}

/** The text comes first: its buttons take longer than all of it. */
function LateActions(props: ComponentProps<typeof MessageActions>) {
  return useSettled() && <MessageActions {...props} />;
}
