import type { TeamEntry } from '@majlis/console-api';
import { useState } from 'react';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { useUsers } from '../../live/users.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Switch } from '../../parts/switch.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import styles from './teams.module.css';

interface Props {
  workspace_id: string;
  /** Absent: a new team. */
  entry: TeamEntry | undefined;
  onClose: () => void;
}

/** Names a team and chooses its members. */
export function TeamDialog({ workspace_id, entry: given, onClose }: Props) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [entry] = useState(given);
  const users = useUsers(workspace_id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(entry?.team.member_ids));
  const path = `/workspaces/${workspace_id}/teams`;

  async function send(form: FormData) {
    const body = { name: String(form.get('name')), member_ids: [...chosen] };
    if (entry) await request('PATCH', `${path}/${entry.team.id}`, { version: entry.version, ...body });
    else await request('POST', path, body);
    settingsChanged(workspace_id);
    tell(t('app.saved'));
    onClose();
  }
  function toggle(id: string, isOn: boolean) {
    const others = [...chosen].filter((one) => one !== id);
    setChosen(new Set(isOn ? [...others, id] : others));
  }
  return (
    <Dialog title={t(entry ? 'teams.edit' : 'teams.create')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        <Field label={t('teams.name')} name="name" isRequired autoFocus defaultValue={entry?.team.name ?? ''} />
        <fieldset>
          <legend>{t('teams.members')}</legend>
          <div className={styles.members}>
            {users.map(({ id, name }) => (
              <Switch key={id} label={name ?? id} isSelected={chosen.has(id)} onChange={(isOn) => toggle(id, isOn)} />
            ))}
          </div>
        </fieldset>
      </Form>
    </Dialog>
  );
}
