import { AlarmClock, CircleCheck, Tag, UserRound, X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { momentText } from '../../conversation/header/moment-text.ts';
import { useSnoozeMoments } from '../../conversation/header/use-snooze-moments.ts';
import { useTeams } from '../../live/directory.ts';
import type { Membership } from '../../live/membership.ts';
import { useStore } from '../../live/store.ts';
import { useUsers } from '../../live/users.ts';
import { useOutsideHours } from '../../live/working-hours.ts';
import { ActionMenu, type ActionSection } from '../../parts/action-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { t } from '../../words/words.ts';
import { assignAll, snoozeAll } from './bulk-actions.ts';
import styles from './bulk-bar.module.css';
import { BulkCloseDialog, BulkFailures, BulkTagDialog } from './bulk-dialogs.tsx';
import { failuresStore } from './failures.ts';
import { bulkStore } from './run-bulk.ts';
import { endSelecting, select, useSelection } from './selection.ts';

interface Props {
  membership: Membership;
  /** The conversations that the list shows. */
  ids: readonly string[];
}

type Opened = 'assign' | 'close' | 'snooze' | 'tag';

/** What can be done to the selected conversations, and how far it is. */
export function BulkBar({ membership: { workspace_id, user_id }, ids }: Props) {
  const selection = useSelection();
  const progress = useStore(bulkStore);
  const failures = useStore(failuresStore);
  const [opened, open] = useState<Opened>();
  const bar = useRef<HTMLDivElement>(null);
  const selected = [...(selection ?? [])];
  const close = () => open(undefined);
  const action = (name: Opened, label: string, icon: ReactNode) => (
    <Button look="quiet" aria-label={label} onPress={() => open(name)} isDisabled={selected.length === 0}>
      {icon}
    </Button>
  );
  return (
    <>
      {selection && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
        <div className={styles.bar} ref={bar} role="group" aria-label={t('bulk.title')}>
          {progress ? (
            <>
              <p className={styles.count} role="status">
                {t('bulk.progress', { done: progress.done, total: progress.total })}
              </p>
              <progress className={styles.progress} max={progress.total} value={progress.done} />
            </>
          ) : (
            <>
              <p className={styles.count} role="status">
                {t('bulk.selected', { count: selected.length })}
              </p>
              <button type="button" className={styles.all} onClick={() => select(ids)}>
                {t('bulk.select_all', { count: ids.length })}
              </button>
              <div className={styles.actions}>
                {action('assign', t('panel.assign'), <UserRound size={18} aria-hidden />)}
                {action('snooze', t('panel.snooze'), <AlarmClock size={18} aria-hidden />)}
                {action('tag', t('bulk.tag'), <Tag size={18} aria-hidden />)}
                {action('close', t('panel.close'), <CircleCheck size={18} aria-hidden />)}
                <Button look="quiet" aria-label={t('bulk.end')} onPress={endSelecting}>
                  <X size={18} aria-hidden />
                </Button>
              </div>
            </>
          )}
        </div>
      )}
      {opened === 'assign' && <AssignMenu {...{ workspace_id, user_id, selected, bar, close }} />}
      {opened === 'snooze' && <SnoozeMenu {...{ workspace_id, selected, bar, close }} />}
      {opened === 'close' && <BulkCloseDialog workspace_id={workspace_id} ids={selected} onClose={close} />}
      {opened === 'tag' && <BulkTagDialog workspace_id={workspace_id} ids={selected} onClose={close} />}
      {failures.length > 0 && <BulkFailures failures={failures} onClose={() => failuresStore.set([])} />}
    </>
  );
}

interface MenuProps {
  workspace_id: string;
  selected: readonly string[];
  bar: RefObject<HTMLDivElement | null>;
  close: () => void;
}

function AssignMenu({ workspace_id, user_id, selected, bar, close }: MenuProps & { user_id: string }) {
  const users = useUsers(workspace_id);
  const teams = useTeams(workspace_id);
  const outside = useOutsideHours(workspace_id, true);
  const sections: ActionSection[] = [
    {
      id: 'special',
      entries: [
        { id: user_id, label: t('panel.assign_to_me') },
        { id: 'nobody', label: t('panel.unassign') },
      ],
    },
    {
      id: 'people',
      title: t('panel.people'),
      entries: users
        .filter(({ id }) => id !== user_id)
        .map(({ id, name = '' }) => ({
          ...{ id, label: name },
          ...(outside.has(id) && { detail: t('work_hours.outside') }),
        })),
    },
    { id: 'teams', title: t('panel.teams'), entries: teams.map(({ id, name }) => ({ id, label: name })) },
  ];
  function assign(id: string) {
    const isTeam = teams.some((team) => team.id === id);
    const nobody = { assignee_id: null, team_id: null };
    void assignAll(workspace_id, selected, id === 'nobody' ? nobody : isTeam ? { team_id: id } : { assignee_id: id });
  }
  return <ActionMenu label={t('panel.assign')} anchor={bar} sections={sections} onAction={assign} onClose={close} />;
}

function SnoozeMenu({ workspace_id, selected, bar, close }: MenuProps) {
  const { timezone, read } = useSnoozeMoments(workspace_id);
  const moments = read();
  if (!moments) return null;
  const entries = moments.map(({ choice, until }) => ({
    id: choice,
    label: t(`panel.snooze_${choice}`),
    detail: momentText(until, timezone),
  }));
  const snooze = (id: string) => {
    const moment = moments.find(({ choice }) => choice === id);
    if (moment) void snoozeAll(workspace_id, selected, moment.until);
  };
  const sections = [{ id: 'times', entries }];
  return <ActionMenu label={t('panel.snooze')} anchor={bar} sections={sections} onAction={snooze} onClose={close} />;
}
