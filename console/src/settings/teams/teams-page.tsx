import type { TeamEntry } from '@majlis/console-api';
import { Plus, UsersRound } from 'lucide-react';
import { useLiveQuery } from '../../live/live-query.ts';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { useUsers } from '../../live/users.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { isolated } from '../../words/isolated.ts';
import { listOf, t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { RemovalDialog, useOpened } from '../use-counts.tsx';
import { TeamDialog } from './team-dialog.tsx';

/** The teams of a workspace and who is in them. */
export function TeamsPage({ membership: { workspace_id } }: { membership: Membership }) {
  const base = `/workspaces/${workspace_id}`;
  const teams = useLiveQuery<{ data: TeamEntry[] }>(`${base}/team-entries`, isSettings);
  const edited = useOpened<TeamEntry | 'new'>();
  const deleted = useOpened<TeamEntry>();
  const create = (
    <Button look="primary" onPress={() => edited.open('new')}>
      <Plus size={18} aria-hidden />
      {t('teams.create')}
    </Button>
  );
  return (
    <Page title={t('teams.title')} hint={t('teams.hint')} action={create}>
      <Loaded query={teams}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<UsersRound aria-hidden />} title={t('teams.empty')} hint={t('teams.empty_hint')} />
          ) : (
            <List>
              {data.map((entry) => (
                <TeamRow
                  key={entry.team.id}
                  workspace_id={workspace_id}
                  entry={entry}
                  onEdit={() => edited.open(entry)}
                  onDelete={() => deleted.open(entry)}
                />
              ))}
            </List>
          )
        }
      </Loaded>
      {edited.opened && (
        <TeamDialog
          workspace_id={workspace_id}
          entry={edited.opened === 'new' ? undefined : edited.opened}
          onClose={edited.close}
        />
      )}
      {deleted.opened && (
        <RemovalDialog
          title={t('teams.delete_title', { name: isolated(deleted.opened.team.name) })}
          hint={t('teams.delete_hint')}
          counts={`${base}/teams/${deleted.opened.team.id}/use`}
          words={{ members: 'use.members', conversations: 'use.team_conversations' }}
          action={t('teams.delete')}
          act={() => request('DELETE', `${base}/teams/${deleted.opened!.team.id}?version=${deleted.opened!.version}`)}
          workspace_id={workspace_id}
          onClose={deleted.close}
        />
      )}
    </Page>
  );
}

interface RowProps {
  workspace_id: string;
  entry: TeamEntry;
  onEdit: () => void;
  onDelete: () => void;
}

function TeamRow({ workspace_id, entry: { team }, onEdit, onDelete }: RowProps) {
  const users = useUsers(workspace_id);
  const named = isolated(team.name);
  const names = (team.member_ids ?? []).flatMap((id) => users.find((user) => user.id === id)?.name ?? []);
  const listed = listOf(names.map((name) => isolated(name)));
  return (
    <Row
      title={<bdi>{team.name}</bdi>}
      end={
        <>
          <Button look="quiet" aria-label={`${t('teams.edit')}: ${named}`} onPress={onEdit}>
            {t('teams.edit')}
          </Button>
          <Button look="quiet" aria-label={`${t('teams.delete')}: ${named}`} onPress={onDelete}>
            {t('teams.delete')}
          </Button>
        </>
      }
    >
      <Soft>
        {t('teams.count', { count: team.member_ids?.length ?? 0 })}
        {names.length > 0 && `: ${listed}`}
      </Soft>
    </Row>
  );
}
