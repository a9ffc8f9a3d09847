import type { SavedView, ViewFilter } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import type { Channel } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Membership } from '../../app/shell.tsx';
import { useStages, useTeams } from '../../live/directory.ts';
import { request } from '../../live/request.ts';
import { useUsers } from '../../live/users.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Switch } from '../../parts/switch.tsx';
import { isWord, t } from '../../words/words.ts';
import styles from './views-dialog.module.css';

interface Props {
  membership: Membership;
  /** The view that is changed. Without one, a new one is made from `filter`. */
  view?: SavedView | undefined;
  filter: ViewFilter;
  onSaved: (view: SavedView) => void;
  onCancel: () => void;
}

const any = 'any';
type Chosen = Partial<Record<keyof ViewFilter, string>>;

/** The name and the filters of a saved view. */
export function ViewForm({ membership, view, filter, onSaved, onCancel }: Props) {
  const { workspace_id, role } = membership;
  const [chosen, setChosen] = useState<Chosen>(filter as Chosen);
  const [isShared, setShared] = useState(view?.shared ?? false);
  const users = useUsers(workspace_id);
  const teams = useTeams(workspace_id);
  const stages = useStages(workspace_id);
  const path = `/workspaces/${workspace_id}/channels`;
  const channels = useQuery({ queryKey: [path], queryFn: () => request<{ data: Channel[] }>('GET', path) }).data?.data;
  const types = [...new Set((channels ?? []).map(({ type }) => type as string))];

  async function send(form: FormData) {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const body = {
      name: text('name'),
      filter: compact({ ...chosen, tag: text('tag'), q: text('q') }),
      ...(!view && { shared: isShared }),
    };
    const base = `/workspaces/${workspace_id}/views`;
    onSaved(await request<SavedView>(view ? 'PATCH' : 'POST', view ? `${base}/${view.id}` : base, body));
  }
  const choice = (name: keyof ViewFilter, label: string, options: readonly { id: string; label: string }[]) => (
    <Choice
      label={label}
      options={[{ id: any, label: t('views.any') }, ...options]}
      value={chosen[name] ?? any}
      onChange={(id) => setChosen({ ...chosen, [name]: id === any ? undefined : id })}
    />
  );
  return (
    <Form place="dialog" submit={t('app.save')} send={send} onCancel={onCancel}>
      <Field label={t('views.name')} name="name" defaultValue={view?.name ?? ''} isRequired autoFocus />
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
        {teams.length > 0 &&
          choice(
            'team_id',
            t('views.team'),
            teams.map(({ id, name }) => ({ id, label: name })),
          )}
        {stages.length > 0 &&
          choice(
            'stage_id',
            t('views.stage'),
            stages.map(({ id, name }) => ({ id, label: name })),
          )}
        {types.length > 1 &&
          choice(
            'channel_type',
            t('views.channel'),
            types.map((id) => ({ id, label: typeName(id) })),
          )}
        <Field label={t('views.tag')} name="tag" defaultValue={filter.tag ?? ''} />
        <Field label={t('views.text')} name="q" defaultValue={filter.q ?? ''} />
      </div>
      {!view && mayAct(role, 'supervisor') && (
        <Switch label={t('views.share')} isSelected={isShared} onChange={setShared} />
      )}
    </Form>
  );
}

function typeName(type: string): string {
  const word = `views.channel_${type}`;
  return isWord(word) ? t(word) : type;
}

function compact(chosen: Chosen): ViewFilter {
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)) as ViewFilter;
}
