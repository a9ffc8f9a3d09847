import type { ViewFilter } from '@majlis/console-api';
import type { Channel } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useStages, useTeams } from '../../live/directory.ts';
import { request } from '../../live/request.ts';
import { useUsers } from '../../live/users.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { isWord, t } from '../../words/words.ts';
import styles from './views-dialog.module.css';

interface Props {
  workspace_id: string;
  filter: ViewFilter;
  onChange: (filter: ViewFilter) => void;
}

const any = 'any';

/** One field for each filter of the conversations, but for the contact, which the page of a contact names. */
export function FilterFields({ workspace_id, filter, onChange }: Props) {
  const users = useUsers(workspace_id);
  const teams = useTeams(workspace_id);
  const stages = useStages(workspace_id);
  const path = `/workspaces/${workspace_id}/channels`;
  const channels = useQuery({ queryKey: [path], queryFn: () => request<{ data: Channel[] }>('GET', path) }).data?.data;
  const types = [...new Set((channels ?? []).map(({ type }) => type as string))];
  const set = (name: keyof ViewFilter, value: string | undefined) => {
    const { [name]: _, ...others } = filter;
    onChange({ ...others, ...(value && { [name]: value }) } as ViewFilter);
  };
  const choice = (name: keyof ViewFilter, label: string, options: readonly { id: string; label: string }[]) => {
    const value = (filter[name] as string | undefined) ?? any;
    const all = [{ id: any, label: t('views.any') }, ...options];
    // What somebody has removed stays chosen until the person chooses something else.
    const isKnown = all.some(({ id }) => id === value);
    return (
      <Choice
        label={label}
        options={isKnown ? all : [...all, { id: value, label: t('panel.removed') }]}
        value={value}
        onChange={(id) => set(name, id === any ? undefined : id)}
      />
    );
  };
  return (
    <div className={styles.fields}>
      {choice('status', t('views.status'), [
        { id: 'open', label: t('views.status_open') },
        { id: 'closed', label: t('views.status_closed') },
      ])}
      {choice('assignee_id', t('views.assignee'), [
        { id: 'me', label: t('views.assignee_me') },
        { id: 'none', label: t('views.assignee_none') },
        ...users.map(({ id, name = '' }) => ({ id, label: name })),
      ])}
      {(teams.length > 0 || filter.team_id) &&
        choice(
          'team_id',
          t('views.team'),
          teams.map(({ id, name }) => ({ id, label: name })),
        )}
      {(stages.length > 0 || filter.stage_id) &&
        choice(
          'stage_id',
          t('views.stage'),
          stages.map(({ id, name }) => ({ id, label: name })),
        )}
      {types.length > 1 &&
        choice(
          'channel_type',
          t('views.channel'),
          types.map((id) => ({ id, label: nameOfChannel(id) })),
        )}
      <Field label={t('views.tag')} name="tag" value={filter.tag ?? ''} onChange={(tag) => set('tag', tag)} />
      <Field label={t('views.text')} name="q" value={filter.q ?? ''} onChange={(q) => set('q', q)} />
    </div>
  );
}

export function nameOfChannel(type: string): string {
  const word = `views.channel_${type}`;
  return isWord(word) ? t(word) : type;
}
