import type { ListEntryState, ListState } from '@majlis/console-api';
import { ListOrdered, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLiveQuery } from '../../live/live-query.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { isolated } from '../../words/isolated.ts';
import type { WordId } from '../../words/word-id.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { RemovalDialog, type UseWords, useOpened } from '../use-counts.tsx';
import styles from './lists.module.css';
import { OrderedEntries } from './ordered-entries.tsx';

interface ListKind {
  entries: string;
  path: string;
  order: string;
  hasEmoji: boolean;
  hasReplacement: boolean;
  hint: WordId;
  empty: WordId;
  create: WordId;
  deleteTitle: WordId;
  words: UseWords;
}

export const stages: ListKind = {
  entries: 'stage-entries',
  path: 'stages',
  order: 'stage-order',
  hasEmoji: true,
  hasReplacement: true,
  hint: 'lists.stages_hint',
  empty: 'lists.stages_empty',
  create: 'lists.stages_create',
  deleteTitle: 'lists.stage_delete_title',
  words: { contacts: 'use.stage_contacts', conversations: 'use.stage_conversations' },
};

export const closingReasons: ListKind = {
  entries: 'closing-entries',
  path: 'closing-categories',
  order: 'closing-order',
  hasEmoji: false,
  hasReplacement: false,
  hint: 'lists.reasons_hint',
  empty: 'lists.reasons_empty',
  create: 'lists.reasons_create',
  deleteTitle: 'lists.reason_delete_title',
  words: { closings: 'use.closings' },
};

/** A list in an order of its own: the stages, or the closing reasons. */
export function OrderedSection({ workspace_id, kind }: { workspace_id: string; kind: ListKind }) {
  const base = `/workspaces/${workspace_id}`;
  const list = useLiveQuery<ListState>(`${base}/${kind.entries}`, isSettings);
  const edited = useOpened<ListEntryState | 'new'>();
  const deleted = useOpened<ListEntryState>();
  return (
    <>
      <div className={styles.head}>
        <p>
          {t(kind.hint)} {(list.data?.data.length ?? 0) > 1 && t('lists.order_hint')}
        </p>
        <Button look="primary" onPress={() => edited.open('new')}>
          <Plus size={18} aria-hidden />
          {t(kind.create)}
        </Button>
      </div>
      <Loaded query={list}>
        {(state) =>
          state.data.length === 0 ? (
            <Empty icon={<ListOrdered aria-hidden />} title={t(kind.empty)} />
          ) : (
            <OrderedEntries
              workspace_id={workspace_id}
              order={kind.order}
              list={state}
              onEdit={edited.open}
              onDelete={deleted.open}
            />
          )
        }
      </Loaded>
      {edited.opened && (
        <EntryDialog
          workspace_id={workspace_id}
          kind={kind}
          entry={edited.opened === 'new' ? undefined : edited.opened}
          onClose={edited.close}
        />
      )}
      {deleted.opened && (
        <DeleteEntry
          workspace_id={workspace_id}
          kind={kind}
          entry={deleted.opened}
          others={list.data?.data.filter(({ id }) => id !== deleted.opened!.id) ?? []}
          onClose={deleted.close}
        />
      )}
    </>
  );
}

interface EntryProps {
  workspace_id: string;
  kind: ListKind;
  onClose: () => void;
}

function EntryDialog({
  workspace_id,
  kind,
  entry: given,
  onClose,
}: EntryProps & { entry: ListEntryState | undefined }) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [entry] = useState(given);
  const path = `/workspaces/${workspace_id}/${kind.path}`;
  async function send(form: FormData) {
    const name = String(form.get('name'));
    const emoji = String(form.get('emoji') ?? '').trim();
    if (entry) {
      const change = { version: entry.version, name, ...(kind.hasEmoji && { emoji: emoji === '' ? null : emoji }) };
      await request('PATCH', `${path}/${entry.id}`, change);
    } else {
      await request('POST', path, { name, ...(emoji !== '' && { emoji }) });
    }
    settingsChanged(workspace_id);
    onClose();
  }
  return (
    <Dialog title={t(entry ? 'lists.edit' : kind.create)} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        <Field label={t('lists.name')} name="name" isRequired autoFocus defaultValue={entry?.name ?? ''} />
        {kind.hasEmoji && (
          <Field label={t('lists.emoji')} hint={t('lists.emoji_hint')} name="emoji" defaultValue={entry?.emoji ?? ''} />
        )}
      </Form>
    </Dialog>
  );
}

interface DeleteProps extends EntryProps {
  entry: ListEntryState;
  others: readonly ListEntryState[];
}

function DeleteEntry({ workspace_id, kind, entry, others, onClose }: DeleteProps) {
  const [replacement, setReplacement] = useState('none');
  const path = `/workspaces/${workspace_id}/${kind.path}/${entry.id}`;
  const query = new URLSearchParams({
    version: entry.version,
    ...(kind.hasReplacement && replacement !== 'none' && { replacement_id: replacement }),
  });
  return (
    <RemovalDialog
      title={t(kind.deleteTitle, { name: isolated(entry.name) })}
      counts={`${path}/use`}
      words={kind.words}
      action={t('lists.delete')}
      act={() => request('DELETE', `${path}?${query}`)}
      workspace_id={workspace_id}
      onClose={onClose}
    >
      {kind.hasReplacement && others.length > 0 && (
        <Choice
          label={t('lists.replacement')}
          options={[
            { id: 'none', label: t('lists.replacement_none') },
            ...others.map(({ id, name, emoji }) => ({ id, label: emoji ? `${emoji} ${name}` : name })),
          ]}
          value={replacement}
          onChange={setReplacement}
        />
      )}
    </RemovalDialog>
  );
}
