import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { AlarmClock, Bot, ChevronDown, Flag, Hand, Headset, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useStages, useTeams, useWorkspace } from '../../live/directory.ts';
import type { Membership } from '../../live/membership.ts';
import { useUsers } from '../../live/users.ts';
import { t } from '../../words/words.ts';
import styles from '../conversation-header.module.css';
import { takeOver } from './actions.ts';
import { momentText } from './moment-text.ts';
import type { Opened } from './opened.ts';

interface Props {
  membership: Membership;
  conversation: Conversation;
  state: ConversationState | undefined;
  opened: Opened | undefined;
  open: (opened: Opened) => void;
}

/** Who answers, who is responsible, the stage and the snooze: each states itself and opens its menu. */
export function Chips({ membership, conversation, state, opened, open }: Props) {
  const botName = state?.held_by_platform ? t('thread.platform_agent') : state?.bot?.name;
  const { workspace_id } = membership;
  const { assignee_id, team_id, stage_id, controller } = conversation;
  const user = useUsers(workspace_id).find(({ id }) => id === assignee_id);
  const team = useTeams(workspace_id).find(({ id }) => id === team_id);
  const stage = useStages(workspace_id).find(({ id }) => id === stage_id);
  const workspace = useWorkspace(workspace_id);
  const isBot = controller === 'bot';
  const names = [user?.name, team?.name].filter(Boolean).join(' · ');
  const chip = (kind: Opened, name: string, icon: ReactNode, text: ReactNode) => (
    <Chip kind={kind} name={name} isOpen={opened === kind} onOpen={() => open(kind)} icon={icon}>
      {text}
    </Chip>
  );
  return (
    <div className={styles.chips}>
      {/* A phone shows who has control too: its actions are in the one menu. */}
      <span className={styles.control} data-controller={controller}>
        {chip(
          'control',
          t('panel.control'),
          isBot ? <Bot size={16} aria-hidden /> : <Headset size={16} aria-hidden />,
          <>
            {t(isBot ? 'panel.bot' : 'panel.human')}
            {isBot && botName && (
              <span className={styles.bot}>
                <bdi>{botName}</bdi>
              </span>
            )}
          </>,
        )}
      </span>
      <span className={styles.others}>
        {chip(
          'assign',
          t('panel.assignee'),
          <UserRound size={16} aria-hidden />,
          names ? <bdi>{names}</bdi> : t('panel.nobody'),
        )}
        {chip(
          'stage',
          t('panel.stage'),
          stage?.emoji ? <span aria-hidden>{stage.emoji}</span> : <Flag size={16} aria-hidden />,
          stage ? <bdi>{stage.name}</bdi> : t('panel.no_stage_short'),
        )}
        {chip(
          'snooze',
          t('panel.snooze'),
          <AlarmClock size={16} aria-hidden />,
          state?.snoozed_until
            ? t('panel.until', {
                time: momentText(Date.parse(state.snoozed_until), workspace?.timezone ?? 'UTC'),
              })
            : t('panel.snooze'),
        )}
      </span>
      {/* At the far end: a second press meets nothing that moved there. */}
      {isBot && (
        <AriaButton className={styles.take!} onPress={() => void takeOver({ workspace_id, conversation })}>
          <Hand size={16} aria-hidden />
          {t('panel.take_over')}
        </AriaButton>
      )}
    </div>
  );
}

interface ChipProps {
  kind: Opened;
  name: string;
  isOpen: boolean;
  onOpen: () => void;
  icon: ReactNode;
  children: ReactNode;
}

function Chip({ kind, name, isOpen, onOpen, icon, children }: ChipProps) {
  return (
    <span className={styles.place} data-anchor={kind}>
      <AriaButton className={styles.chip!} aria-haspopup="menu" aria-expanded={isOpen} onPress={onOpen}>
        {icon}
        <span className={styles.hidden}>{name}: </span>
        <span className={styles.text}>{children}</span>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
    </span>
  );
}
