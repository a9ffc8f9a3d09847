import type { FieldState } from '@majlis/console-api';
import { Plus, TextCursorInput } from 'lucide-react';
import { useState } from 'react';
import { useLiveQuery } from '../../live/live-query.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { RemovalDialog, useOpened } from '../use-counts.tsx';
import styles from './lists.module.css';

const types = ['text', 'number', 'date', 'boolean', 'select'] as const;
type FieldType = (typeof types)[number];

/** The custom fields of contacts. */
export function FieldsSection({ workspace_id }: { workspace_id: string }) {
  const base = `/workspaces/${workspace_id}`;
  const fields = useLiveQuery<{ data: FieldState[] }>(`${base}/custom-field-entries`, isSettings);
  const edited = useOpened<FieldState | 'new'>();
  const deleted = useOpened<FieldState>();
  const removed = deleted.opened && new URLSearchParams({ key: deleted.opened.field.key });
  return (
    <>
      <div className={styles.head}>
        <p>{t('lists.fields_hint')}</p>
        <Button look="primary" onPress={() => edited.open('new')}>
          <Plus size={18} aria-hidden />
          {t('lists.fields_create')}
        </Button>
      </div>
      <Loaded query={fields}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<TextCursorInput aria-hidden />} title={t('lists.fields_empty')} />
          ) : (
            <List>
              {data.map((state) => (
                <FieldRow
                  key={state.field.key}
                  state={state}
                  onEdit={() => edited.open(state)}
                  onDelete={() => deleted.open(state)}
                />
              ))}
            </List>
          )
        }
      </Loaded>
      {edited.opened && (
        <FieldDialog
          workspace_id={workspace_id}
          state={edited.opened === 'new' ? undefined : edited.opened}
          onClose={edited.close}
        />
      )}
      {deleted.opened && (
        <RemovalDialog
          title={t('lists.field_delete_title', { name: isolated(nameOf(deleted.opened)) })}
          counts={`${base}/custom-field-use?${removed}`}
          words={{ contacts: 'use.field_contacts' }}
          action={t('lists.delete')}
          act={() => request('DELETE', `${base}/custom-fields?${removed}&version=${deleted.opened!.version}`)}
          workspace_id={workspace_id}
          onClose={deleted.close}
        />
      )}
    </>
  );
}

const nameOf = ({ field: { key, label } }: FieldState): string => label ?? key;

function FieldRow({ state, onEdit, onDelete }: { state: FieldState; onEdit: () => void; onDelete: () => void }) {
  const { key, type, options } = state.field;
  const named = isolated(nameOf(state));
  return (
    <Row
      title={
        <>
          <bdi>{nameOf(state)}</bdi>
          <Badge>{t(`lists.type_${type}`)}</Badge>
        </>
      }
      end={
        <>
          <Button look="quiet" aria-label={`${t('lists.edit')}: ${named}`} onPress={onEdit}>
            {t('lists.edit')}
          </Button>
          <Button look="quiet" aria-label={`${t('lists.delete')}: ${named}`} onPress={onDelete}>
            {t('lists.delete')}
          </Button>
        </>
      }
    >
      <Soft>
        <bdi dir="ltr">{key}</bdi>
        {options && options.length > 0 && (
          <>
            {' · '}
            <bdi>{options.join(', ')}</bdi>
          </>
        )}
      </Soft>
    </Row>
  );
}

interface DialogProps {
  workspace_id: string;
  /** Absent: a new field. */
  state: FieldState | undefined;
  onClose: () => void;
}

function FieldDialog({ workspace_id, state: given, onClose }: DialogProps) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [state] = useState(given);
  const [type, setType] = useState<FieldType>(state?.field.type ?? 'text');
  const path = `/workspaces/${workspace_id}/custom-fields`;
  async function send(form: FormData) {
    const label = String(form.get('label')).trim();
    const lines = String(form.get('options') ?? '').split('\n');
    const options =
      type === 'select' ? { options: lines.map((line) => line.trim()).filter((line) => line !== '') } : {};
    if (state) {
      await request('PATCH', path, { key: state.field.key, version: state.version, label, ...options });
    } else {
      const key = String(form.get('key')).trim();
      await request('POST', path, { key, type, ...(label !== '' && { label }), ...options });
    }
    settingsChanged(workspace_id);
    onClose();
  }
  return (
    <Dialog title={t(state ? 'lists.edit' : 'lists.fields_create')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        <Field
          label={t('lists.label')}
          hint={t('lists.label_hint')}
          name="label"
          autoFocus
          defaultValue={state?.field.label ?? ''}
        />
        {!state && (
          <>
            <Field label={t('lists.key')} hint={t('lists.key_hint')} name="key" ltr isRequired />
            <Choice
              label={t('lists.type')}
              options={types.map((id) => ({ id, label: t(`lists.type_${id}`) }))}
              value={type}
              onChange={setType}
            />
          </>
        )}
        {type === 'select' && (
          <TextArea
            label={t('lists.options')}
            {...(state && { hint: t('lists.options_hint') })}
            name="options"
            isRequired
            defaultValue={state?.field.options?.join('\n') ?? ''}
          />
        )}
      </Form>
    </Dialog>
  );
}
