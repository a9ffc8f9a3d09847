import type { SavedView, ViewFilter } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import { useState } from 'react';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { createOnce } from '../../live/request-once.ts';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Switch } from '../../parts/switch.tsx';
import { t } from '../../words/words.ts';
import { FilterFields } from './filter-fields.tsx';

interface Props {
  membership: Membership;
  /** The view that is changed. Without one, a new one is made from `filter`. */
  view?: SavedView | undefined;
  filter: ViewFilter;
  onSaved: (view: SavedView) => void;
  onCancel: () => void;
}

/** The name and the filters of a saved view. */
export function ViewForm({ membership, view, filter, onSaved, onCancel }: Props) {
  const { workspace_id, role } = membership;
  const [chosen, setChosen] = useState(filter);
  const [isShared, setShared] = useState(view?.shared ?? false);
  async function send(form: FormData) {
    const body = {
      name: String(form.get('name') ?? '').trim(),
      filter: chosen,
    };
    const path = `/workspaces/${workspace_id}/views`;
    onSaved(
      view
        ? await request<SavedView>('PATCH', `${path}/${view.id}`, { ...body, version: view.version })
        : await createOnce<SavedView>(path, { ...body, shared: isShared }),
    );
  }
  return (
    <Form place="dialog" submit={t('app.save')} send={send} onCancel={onCancel}>
      <Field label={t('views.name')} name="name" defaultValue={view?.name ?? ''} isRequired autoFocus />
      <FilterFields workspace_id={workspace_id} filter={chosen} onChange={setChosen} />
      {!view && mayAct(role, 'supervisor') && (
        <Switch label={t('views.share')} isSelected={isShared} onChange={setShared} />
      )}
    </Form>
  );
}
