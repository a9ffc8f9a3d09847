import type { ScheduledMessage, ThreadItem } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { usePending } from '../../composer/outbox.ts';
import type { Thread, ThreadState } from '../../live/messages.ts';
import { placeOf, type ThreadWindow } from '../../live/thread-window.ts';
import { Empty } from '../../parts/empty.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import { nameOfKindOfMessage } from './people.ts';
import styles from './thread.module.css';
import { ThreadList } from './thread-list.tsx';
import { isInbound, threadRows } from './thread-rows.ts';
import { useReadMark } from './use-read-mark.ts';

interface Props {
  workspace_id: string;
  conversation: Conversation;
  thread: Thread;
  state: ThreadState;
  window: ThreadWindow;
  /** What waits for its time. */
  scheduled: readonly ScheduledMessage[];
  hit: string | undefined;
  isWhole: boolean;
  onTexts: () => void;
}

const none: readonly ScheduledMessage[] = [];

/** A thread whose first part is loaded. */
export function OpenThread({
  workspace_id,
  conversation,
  thread,
  state,
  window,
  hit,
  isWhole,
  onTexts,
  ...props
}: Props) {
  const { items, has_earlier, has_later } = window;
  const [path, navigate] = useLocation();
  const pending = usePending(conversation.id);
  // Far from the end, the next part of the thread comes below the last line.
  const scheduled = has_later ? none : props.scheduled;
  const [target, setTarget] = useState(hit);
  /** The last item before the person scrolled up. Undefined at the bottom. */
  const [leftAt, setLeftAt] = useState<string | undefined>(hit && '');
  const newest = has_later ? undefined : items.findLast(isInbound);
  const [opened] = useState(newest?.id);
  const mark = useReadMark({
    workspace_id,
    conversation_id: conversation.id,
    in_view: leftAt === undefined ? newest?.id : undefined,
  });

  function jump(id: string) {
    setTarget(id);
    thread.jumpTo(id);
  }

  function forgetHit() {
    setTarget(undefined);
    const query = new URLSearchParams(location.search);
    if (!query.has('message')) return;
    query.delete('message');
    navigate(query.size > 0 ? `${path}?${query}` : path, { replace: true });
  }

  // The address is the page's state: another hit of the search changes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the jump belongs to the address alone.
  useEffect(() => {
    if (hit) jump(hit);
  }, [hit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each missing message.
  useEffect(() => {
    if (state.missing === undefined) return;
    tell(t('thread.message_gone'), 'danger');
    forgetHit();
  }, [state.missing]);

  const contact_name = conversation.contact_name ?? conversation.contact_handle ?? t('inbox.unnamed');
  const rows = threadRows({ items, has_earlier, pending, scheduled, readUpTo: mark?.readUpTo });
  if (!mark) return <Skeleton shape="thread" />;
  if (rows.length === 0) return <Empty icon={<MessagesSquare aria-hidden />} title={t('thread.empty')} />;
  return (
    <>
      <ThreadList
        // Another part of the thread has other lines, whose heights are not known yet.
        key={state.part}
        workspace_id={workspace_id}
        contact_name={contact_name}
        rows={rows}
        isWhole={isWhole}
        hasEarlier={has_earlier}
        isLoadingEarlier={state.isLoadingEarlier}
        hasLater={has_later}
        newCount={countNew(items, leftAt)}
        target={target}
        onArrive={forgetHit}
        onTexts={onTexts}
        onJump={jump}
        onNewest={() => {
          setLeftAt(undefined);
          thread.jumpToNewest();
        }}
        onStart={thread.loadEarlier}
        onEnd={thread.loadLater}
        onBottom={(isAtBottom) => setLeftAt(isAtBottom ? undefined : (items.at(-1)?.id ?? ''))}
      />
      <p className={styles.arrived} role="status">
        {newest?.type === 'message' && newest.id !== opened && (
          <bdi>
            {t('thread.arrived', { name: contact_name, text: newest.body ?? nameOfKindOfMessage(newest.kind) })}
          </bdi>
        )}
      </p>
    </>
  );
}

function countNew(items: readonly ThreadItem[], leftAt: string | undefined): number {
  if (!leftAt) return 0;
  return items.filter((item) => isInbound(item) && placeOf(item.id) > placeOf(leftAt)).length;
}
