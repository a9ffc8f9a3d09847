import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { AlarmClock, Bot, CircleCheck, Flag, Hand, PanelRight, RotateCcw, UserRound } from 'lucide-react';
import { type Command, useCommands } from '../../app/commands.ts';
import type { Membership } from '../../live/membership.ts';
import { t } from '../../words/words.ts';
import { assign, reopen, takeOver, wake } from './actions.ts';
import type { Opened } from './opened.ts';

interface Subject {
  membership: Membership;
  conversation: Conversation;
  state: ConversationState | undefined;
  open: (opened: Opened) => void;
  onTogglePanel: () => void;
}

const iconOf = { size: 16, 'aria-hidden': true } as const;

/** Every action on the open conversation, for the palette and the keyboard. */
export function useConversationCommands({ membership, conversation, state, open, onTogglePanel }: Subject): void {
  const { workspace_id, user_id } = membership;
  const target = { workspace_id, conversation };
  const { status, controller, assignee_id } = conversation;
  const snoozed_until = state?.snoozed_until;
  const commands: (Command | false | undefined)[] = [
    status === 'closed'
      ? {
          id: 'conversation.reopen',
          label: t('panel.reopen'),
          icon: <RotateCcw {...iconOf} />,
          run: () => void reopen(target),
        }
      : {
          id: 'conversation.close',
          label: t('panel.close'),
          icon: <CircleCheck {...iconOf} />,
          run: () => open('close'),
        },
    {
      id: 'conversation.assign',
      label: t('panel.assign'),
      icon: <UserRound {...iconOf} />,
      run: () => open('assign'),
    },
    assignee_id !== user_id && {
      id: 'conversation.assign_to_me',
      label: t('panel.assign_to_me'),
      icon: <UserRound {...iconOf} />,
      run: () => void assign(target, { assignee_id: user_id }, t('panel.assigned_to_me')),
    },
    {
      id: 'conversation.snooze',
      label: t('panel.snooze'),
      icon: <AlarmClock {...iconOf} />,
      run: () => open('snooze'),
    },
    snoozed_until !== undefined && {
      id: 'conversation.wake',
      label: t('panel.wake'),
      icon: <AlarmClock {...iconOf} />,
      run: () => void wake(target, snoozed_until),
    },
    {
      id: 'conversation.stage',
      label: t('panel.stage'),
      icon: <Flag {...iconOf} />,
      run: () => open('stage'),
    },
    controller === 'bot' && {
      id: 'conversation.take_over',
      label: t('panel.take_over'),
      icon: <Hand {...iconOf} />,
      run: () => void takeOver(target),
    },
    {
      id: 'conversation.hand_over',
      label: t('panel.hand_over'),
      icon: <Bot {...iconOf} />,
      run: () => open('control'),
    },
    {
      id: 'conversation.panel',
      label: t('panel.toggle'),
      icon: <PanelRight {...iconOf} />,
      run: onTogglePanel,
    },
  ];
  useCommands(commands.filter((command): command is Command => Boolean(command)));
}
