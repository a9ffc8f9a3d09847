import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import type { Membership } from '../../live/membership.ts';
import { ActionMenu } from '../../parts/action-menu.tsx';
import { t } from '../../words/words.ts';
import { reopen } from './actions.ts';
import type { Opened, Shown } from './opened.ts';
import { type MenuKind, useActionMenus } from './use-action-menus.tsx';

interface Props {
  membership: Membership;
  conversation: Conversation;
  state: ConversationState | undefined;
  shown: Shown;
  open: (opened: Opened) => void;
  onClose: () => void;
}

/** The menu of a chip, or of everything on a narrow screen. */
export function HeaderMenu({ membership, conversation, state, shown: { opened, anchor }, open, onClose }: Props) {
  const menus = useActionMenus({ membership, conversation, state, opened, onOwnTime: () => open('own_time') });
  if (opened === 'all') {
    return (
      <ActionMenu
        label={t('panel.actions')}
        anchor={anchor}
        sections={[{ id: 'all', entries: foldedEntries(conversation, state) }]}
        onAction={(entry) => {
          if (entry === 'reopen') void reopen({ workspace_id: membership.workspace_id, conversation });
          // The menu that closes must not close the one that opens.
          else setTimeout(() => open(entry as Opened));
        }}
        onClose={onClose}
      />
    );
  }
  const content = menus[opened as MenuKind]();
  return (
    <ActionMenu
      label={content.label}
      anchor={anchor}
      sections={content.sections}
      onAction={(entry) => content.act(entry)}
      onClose={onClose}
    />
  );
}

function foldedEntries({ status, controller }: Conversation, state: ConversationState | undefined) {
  return [
    { id: 'assign', label: t('panel.assign') },
    { id: 'control', label: t(controller === 'bot' ? 'panel.take_over_or_hand_over' : 'panel.hand_over') },
    { id: 'stage', label: t('panel.stage') },
    { id: 'snooze', label: t(state?.snoozed_until ? 'panel.snoozed' : 'panel.snooze') },
    status === 'closed' ? { id: 'reopen', label: t('panel.reopen') } : { id: 'close', label: t('panel.close') },
  ];
}
