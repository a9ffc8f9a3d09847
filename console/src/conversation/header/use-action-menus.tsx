import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { BellOff, Bot, CalendarClock, CircleSlash, Moon, Sunrise, UserRound, UsersRound, Workflow } from 'lucide-react';
import { useAiAgents, useStages, useStartableWorkflows, useTeams } from '../../live/directory.ts';
import type { Membership } from '../../live/membership.ts';
import { useUsers } from '../../live/users.ts';
import { useOutsideHours } from '../../live/working-hours.ts';
import type { ActionSection } from '../../parts/action-menu.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { assign, handOver, setStage, snooze, startWorkflow, takeOver, wake } from './actions.ts';
import { momentText } from './moment-text.ts';
import { useSnoozeMoments } from './use-snooze-moments.ts';

export type MenuKind = 'assign' | 'control' | 'stage' | 'snooze';

export interface ActionMenuContent {
  label: string;
  sections: readonly ActionSection[];
  act(id: string): void;
}

interface Subject {
  membership: Membership;
  conversation: Conversation;
  state: ConversationState | undefined;
  opened: string | undefined;
  onOwnTime: () => void;
}

const iconOf = { size: 16, 'aria-hidden': true } as const;
const snoozeIcons = { later_today: Sunrise, tomorrow: Moon, next_open_day: Moon, next_week: CalendarClock };

/** The menus of a conversation: each is drawn beside its button, and in one place on a phone. */
export function useActionMenus(subject: Subject): Record<MenuKind, () => ActionMenuContent> {
  const { membership, conversation, state, opened, onOwnTime } = subject;
  const { workspace_id, user_id } = membership;
  const users = useUsers(workspace_id);
  const outside = useOutsideHours(workspace_id, opened === 'assign');
  const teams = useTeams(workspace_id);
  const stages = useStages(workspace_id);
  const agents = useAiAgents(workspace_id);
  const workflows = useStartableWorkflows(workspace_id);
  const snoozeMoments = useSnoozeMoments(workspace_id);
  const target = { workspace_id, conversation };
  const { assignee_id, team_id, stage_id, controller } = conversation;

  return {
    assign: () => ({
      label: t('panel.assign'),
      sections: [
        {
          id: 'special',
          entries: [
            ...(assignee_id === user_id
              ? []
              : [{ id: user_id, label: t('panel.assign_to_me'), icon: <UserRound {...iconOf} /> }]),
            ...(assignee_id || team_id
              ? [{ id: 'nobody', label: t('panel.unassign'), icon: <CircleSlash {...iconOf} /> }]
              : []),
          ],
        },
        {
          id: 'people',
          title: t('panel.people'),
          entries: users
            .filter(({ id }) => id !== user_id || assignee_id === user_id)
            .map(({ id, name = '' }) => ({
              ...{ id, label: name, icon: <Avatar name={name} size="s" />, isCurrent: id === assignee_id },
              ...(outside.has(id) && { detail: t('work_hours.outside') }),
            })),
        },
        {
          id: 'teams',
          title: t('panel.teams'),
          entries: teams.map(({ id, name }) => ({
            ...{ id, label: name, icon: <UsersRound {...iconOf} />, isCurrent: id === team_id },
          })),
        },
      ],
      act(id) {
        const team = teams.find((one) => one.id === id);
        const user = users.find((one) => one.id === id);
        const name = isolated(team?.name ?? user?.name ?? '');
        if (id === 'nobody') void assign(target, { assignee_id: null, team_id: null }, t('panel.unassigned'));
        else if (team) void assign(target, { team_id: id }, t('panel.assigned', { name }));
        else if (id === user_id) void assign(target, { assignee_id: id }, t('panel.assigned_to_me'));
        else void assign(target, { assignee_id: id }, t('panel.assigned', { name }));
      },
    }),
    control: () => ({
      label: t('panel.control'),
      sections: [
        {
          id: 'human',
          entries:
            controller === 'bot' ? [{ id: 'human', label: t('panel.take_over'), icon: <UserRound {...iconOf} /> }] : [],
        },
        {
          id: 'agents',
          title: t('panel.to_agent'),
          entries: agents.map(({ id, name }) => ({
            ...{ id, label: name, icon: <Bot {...iconOf} />, isCurrent: id === state?.bot?.id },
          })),
        },
        {
          id: 'workflows',
          title: t('panel.to_workflow'),
          entries: workflows.map(({ id, name }) => ({
            ...{ id, label: name, icon: <Workflow {...iconOf} />, isCurrent: id === state?.bot?.id },
          })),
        },
      ],
      act(id) {
        const agent = agents.find((one) => one.id === id);
        const workflow = workflows.find((one) => one.id === id);
        if (agent) void handOver(target, agent);
        else if (workflow) void startWorkflow(target, workflow);
        else void takeOver(target);
      },
    }),
    stage: () => ({
      label: t('panel.stage'),
      sections: [
        {
          id: 'stages',
          entries: stages.map(({ id, name, emoji }) => ({
            ...{ id, label: name, isCurrent: id === stage_id },
            icon: <span aria-hidden>{emoji ?? '•'}</span>,
          })),
        },
        {
          id: 'none',
          entries: stage_id ? [{ id: 'none', label: t('panel.no_stage'), icon: <CircleSlash {...iconOf} /> }] : [],
        },
      ],
      act: (id) => void setStage(target, id === 'none' ? null : id),
    }),
    snooze: () => {
      const { timezone } = snoozeMoments;
      const moments = snoozeMoments.read() ?? [];
      return {
        label: t('panel.snooze'),
        sections: [
          {
            id: 'wake',
            entries: state?.snoozed_until
              ? [{ id: 'wake', label: t('panel.wake'), icon: <BellOff {...iconOf} /> }]
              : [],
          },
          {
            id: 'times',
            entries: moments.map(({ choice, until }) => {
              const Icon = snoozeIcons[choice];
              const detail = momentText(until, timezone);
              return { id: choice, label: t(`panel.snooze_${choice}`), detail, icon: <Icon {...iconOf} /> };
            }),
          },
          {
            id: 'own',
            entries: [{ id: 'own', label: t('panel.snooze_own'), icon: <CalendarClock {...iconOf} /> }],
          },
        ],
        act(id) {
          const moment = moments.find(({ choice }) => choice === id);
          if (id === 'own') onOwnTime();
          else if (id === 'wake') void wake(target, state!.snoozed_until!);
          else if (moment) void snooze(target, moment.until, timezone);
        },
      };
    },
  };
}
