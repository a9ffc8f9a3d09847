import type { Conversation } from '@majlis/contract';
import { startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import composer from '../composer/composer.module.css';
import { usePending } from '../composer/outbox.ts';
import { conversations } from '../live/conversations.ts';
import { knownChannelName } from '../live/directory.ts';
import type { Membership } from '../live/membership.ts';
import { threadOf, useThread } from '../live/messages.ts';
import { knownScheduled } from '../live/scheduled.ts';
import { useEntity } from '../live/use-entity.ts';
import { afterPaint } from '../parts/after-paint.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { t } from '../words/words.ts';
import header from './conversation-header.module.css';
import pane from './conversation-pane.module.css';
import styles from './first-frame.module.css';
import { isWide } from './is-wide.ts';
import { lastRows } from './thread/last-rows.ts';
import frame from './thread/thread.module.css';
import { ThreadLine } from './thread/thread-line.tsx';
import { threadRows } from './thread/thread-rows.ts';
import { openedMark } from './thread/use-read-mark.ts';
import { Who } from './who.tsx';

interface Props {
  membership: Membership;
  conversation_id: string;
  /** Draws the whole conversation in this place. */
  onPainted: () => void;
}

/** The rest waits so long at the most for the texts. */
const mostMs = 200;

/**
 * What people switch for, before all else of a conversation: whose it is, and its newest messages. Everything that can be pressed
 * takes longer than that, so it is drawn after this is painted, or before the next key or press.
 */
export function FirstFrame({ membership: { workspace_id }, conversation_id, onPainted }: Props) {
  const conversation = useEntity(conversations, conversation_id);
  const [isHit] = useState(() => new URLSearchParams(location.search).has('message'));
  useEffect(() => beforeInput(() => flushSync(onPainted)), [onPainted]);
  return (
    <div className={pane.pane} data-panel={isWide.matches || undefined}>
      <section className={pane.conversation}>
        <header className={header.header}>
          <div className={`${header.line} ${styles.line}`}>
            {conversation && (
              <Who conversation={conversation} channel={knownChannelName(workspace_id, conversation.channel_id)} />
            )}
          </div>
          <div className={styles.chips} />
        </header>
        <div className={frame.frame}>
          {conversation && !isHit ? (
            <FirstLines workspace_id={workspace_id} conversation={conversation} onPainted={onPainted} />
          ) : (
            <Waiting isOver onOver={onPainted} />
          )}
        </div>
        <div className={composer.composer}>
          <div className={`${composer.tabs} ${styles.composer}`} />
        </div>
      </section>
      {isWide.matches && (
        <div className={pane.panelPlace}>
          <Skeleton shape="panel" />
        </div>
      )}
    </div>
  );
}

interface LinesProps {
  workspace_id: string;
  conversation: Conversation;
  onPainted: () => void;
}

/** The lines that fill the screen from its end, without what can be done with them. */
function FirstLines({ workspace_id, conversation, onPainted }: LinesProps) {
  const { id } = conversation;
  const [thread] = useState(() => threadOf(workspace_id, id));
  const { window, error } = useThread(thread);
  const pending = usePending(id);
  const [mark] = useState(() => openedMark(id));
  if (!window || !mark) return <Waiting isOver={error !== undefined || !mark} onOver={onPainted} />;
  const { items, has_earlier, has_later } = window;
  const scheduled = has_later ? [] : knownScheduled(workspace_id, id);
  const rows = threadRows({ items, has_earlier, pending, scheduled, readUpTo: mark.readUpTo });
  return (
    <div className={styles.thread} role="feed" aria-label={t('thread.label')}>
      {lastRows(rows, innerHeight).map((row) => (
        <ThreadLine
          key={row.id}
          row={row}
          workspace_id={workspace_id}
          contact_name={conversation.contact_name ?? conversation.contact_handle ?? t('inbox.unnamed')}
          isReachable={false}
          isFlashing={false}
          isBare
          onJump={() => {}}
        />
      ))}
      <Painted onPainted={onPainted} />
    </div>
  );
}

/** Nothing is known of the thread: it is being read, or what comes next reads it. */
function Waiting({ isOver, onOver }: { isOver: boolean; onOver: () => void }) {
  useEffect(() => {
    if (isOver) return afterPaint(() => startTransition(onOver));
    const timer = setTimeout(() => startTransition(onOver), mostMs);
    return () => clearTimeout(timer);
  }, [isOver, onOver]);
  return <Skeleton shape="thread" />;
}

function Painted({ onPainted }: { onPainted: () => void }) {
  useEffect(() => afterPaint(() => startTransition(onPainted)), [onPainted]);
  return null;
}

/** Before the page hears of a key or a press. A press on a row of the list opens another conversation instead. */
function beforeInput(work: () => void): () => void {
  const hear = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest('a[data-id]'))) work();
  };
  const kinds = ['keydown', 'pointerdown'];
  for (const kind of kinds) addEventListener(kind, hear, { capture: true });
  return () => {
    for (const kind of kinds) removeEventListener(kind, hear, { capture: true });
  };
}
