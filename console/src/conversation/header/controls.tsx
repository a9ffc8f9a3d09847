import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { Suspense } from 'react';
import { useAiAgents, useBusinessHours, useStartableWorkflows } from '../../live/directory.ts';
import { useLiveQuery } from '../../live/live-query.ts';
import type { Membership } from '../../live/membership.ts';
import { readOpening } from '../../live/opening.ts';
import { lazyClosable } from '../../parts/lazy-piece.ts';
import { Chips } from './chips.tsx';
import type { Opened, Shown } from './opened.ts';
import { useConversationCommands } from './use-conversation-commands.tsx';

const HeaderMenu = lazyClosable(async () => (await import('./header-menu.tsx')).HeaderMenu);
const CloseDialog = lazyClosable(async () => (await import('./close-dialog.tsx')).CloseDialog, 'tools');
const SnoozeDialog = lazyClosable(async () => (await import('./snooze-dialog.tsx')).SnoozeDialog);

interface Props {
  membership: Membership;
  conversation: Conversation;
  shown: Shown | undefined;
  open: (opened: Opened) => void;
  /** Closes this alone: a menu that closes late must not close the next one. */
  close: (shown: Shown) => void;
  onTogglePanel: () => void;
}

/** The chips of a conversation, with their menus, dialogs and commands. */
export function Controls({ membership, conversation, shown, open, close, onTogglePanel }: Props) {
  const { workspace_id } = membership;
  const { id } = conversation;
  const { data: state } = useLiveQuery<ConversationState>(
    `/workspaces/${workspace_id}/conversations/${id}/state`,
    (change) => change.conversation_id === id && (change.kind === 'conversation' || change.kind === 'message'),
    async () => (await readOpening(workspace_id, id)).state,
  );
  useConversationCommands({ membership, conversation, state, open, onTogglePanel });
  // Read before a menu is opened, so that it opens with all its entries.
  useAiAgents(workspace_id);
  useStartableWorkflows(workspace_id);
  useBusinessHours(workspace_id);
  return (
    <>
      <Chips membership={membership} conversation={conversation} state={state} opened={shown?.opened} open={open} />
      <Suspense>{shown && draw(shown)}</Suspense>
    </>
  );

  function draw(now: Shown) {
    const end = () => close(now);
    const target = { workspace_id, conversation };
    if (now.opened === 'close') return <CloseDialog target={target} onClose={end} />;
    if (now.opened === 'own_time') return <SnoozeDialog target={target} onClose={end} />;
    return (
      <HeaderMenu
        membership={membership}
        conversation={conversation}
        state={state}
        shown={now}
        open={open}
        onClose={end}
      />
    );
  }
}
