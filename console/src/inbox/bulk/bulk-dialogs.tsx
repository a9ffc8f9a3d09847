import { useState } from 'react';
import { useClosingCategories } from '../../live/directory.ts';
import { Failure } from '../../live/request.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { t } from '../../words/words.ts';
import { closeAll, tagAll } from './bulk-actions.ts';
import styles from './bulk-bar.module.css';
import type { BulkFailure } from './failures.ts';

interface Props {
  workspace_id: string;
  ids: readonly string[];
  onClose: () => void;
}

export function BulkCloseDialog({ workspace_id, ids, onClose }: Props) {
  const categories = useClosingCategories(workspace_id);
  const [category, setCategory] = useState('none');
  async function send() {
    onClose();
    await closeAll(workspace_id, ids, category === 'none' ? undefined : category);
  }
  return (
    <Dialog title={t('bulk.close_title', { count: ids.length })} onClose={onClose}>
      <Form place="dialog" submit={t('panel.close')} send={send} onCancel={onClose}>
        {categories.length > 0 && (
          <Choice
            label={t('panel.close_reason')}
            options={[
              { id: 'none', label: t('panel.close_no_reason') },
              ...categories.map(({ id, name }) => ({ id, label: name })),
            ]}
            value={category}
            onChange={setCategory}
          />
        )}
      </Form>
    </Dialog>
  );
}

export function BulkTagDialog({ workspace_id, ids, onClose }: Props) {
  async function send(form: FormData) {
    const tag = String(form.get('tag')).trim();
    if (tag === '') throw new Failure('unprocessable_content', new Map([['tag', t('bulk.tag_needed')]]));
    onClose();
    await tagAll(workspace_id, ids, tag);
  }
  return (
    <Dialog title={t('bulk.tag_title', { count: ids.length })} onClose={onClose}>
      <Form place="dialog" submit={t('bulk.tag')} send={send} onCancel={onClose}>
        <Field label={t('bulk.tag_name')} name="tag" autoFocus />
      </Form>
    </Dialog>
  );
}

/** Which of many were refused, and why. They stay selected. */
export function BulkFailures({ failures, onClose }: { failures: readonly BulkFailure[]; onClose: () => void }) {
  return (
    <Dialog title={t('bulk.failed_title', { count: failures.length })} onClose={onClose}>
      <p>{t('bulk.failed_hint')}</p>
      <ul className={styles.failures}>
        {failures.map(({ id, name, sentence }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <span>{sentence}</span>
          </li>
        ))}
      </ul>
      <DialogClose onClose={onClose} />
    </Dialog>
  );
}
