import type { ScheduledMessage } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { Suspense, useState } from 'react';
import { useSearch } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { threadOf, useThread } from '../live/messages.ts';
import { useScheduled } from '../live/scheduled.ts';
import { lazyClosable } from '../parts/lazy-piece.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Gone } from './gone.tsx';
import { EditContext } from './scheduled/edit-context.ts';
import { OpenThread } from './thread/open-thread.tsx';
import styles from './thread/thread.module.css';

const EditScheduled = lazyClosable(async () => (await import('./scheduled/edit-scheduled.tsx')).EditScheduled, 'tools');

interface Props {
  membership: Membership;
  conversation: Conversation;
  /** Without it, the newest messages alone are drawn. */
  isWhole: boolean;
  /** The newest messages are drawn. */
  onTexts: () => void;
}

/** The messages of a conversation and what happened to it, oldest first. It follows the service. */
export function Thread({ membership: { workspace_id }, conversation, isWhole, onTexts }: Props) {
  /** A hit of the search of messages. */
  const hit = new URLSearchParams(useSearch()).get('message') ?? undefined;
  const [thread] = useState(() => {
    const opened = threadOf(workspace_id, conversation.id);
    if (hit) opened.jumpTo(hit);
    return opened;
  });
  const state = useThread(thread);
  // Read here, together with what the header and the composer show.
  const scheduled = useScheduled(workspace_id, conversation.id);
  const [edited, setEdited] = useState<ScheduledMessage>();
  if (state.error?.code === 'not_found') {
    return (
      <div className={styles.frame}>
        <Gone workspace_id={workspace_id} />
      </div>
    );
  }
  return (
    <div className={styles.frame}>
      <EditContext value={setEdited}>
        <Loaded shape="thread" query={{ data: state.window, error: state.error, refetch: thread.refetch }}>
          {(window) => (
            <OpenThread
              workspace_id={workspace_id}
              conversation={conversation}
              thread={thread}
              state={state}
              window={window}
              scheduled={scheduled}
              hit={hit}
              isWhole={isWhole}
              onTexts={onTexts}
            />
          )}
        </Loaded>
      </EditContext>
      {edited && (
        <Suspense>
          <EditScheduled
            workspace_id={workspace_id}
            given={edited}
            current={scheduled.find(({ id }) => id === edited.id)}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
