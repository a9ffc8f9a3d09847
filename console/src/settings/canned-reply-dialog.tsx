import { type CannedReply, cannedReplyVariables } from '@majlis/console-api';
import { useId, useRef, useState } from 'react';
import { settingsChanged } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { createOnce } from '../live/request-once.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import styles from './canned-reply-dialog.module.css';

const mostCharacters = 4_096;

interface Props {
  base: string;
  /** Absent: a new one. */
  reply: CannedReply | undefined;
  mayShare: boolean;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

/** Writes a canned reply. Whether it is shared is decided once, when it is made. */
export function CannedReplyDialog({ base, reply, mayShare, onClose, onSaved }: Props) {
  const [body, setBody] = useState(reply?.body ?? '');
  const [isShared, setShared] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const bodyId = useId();
  const excess = [...body].length - mostCharacters;

  async function send(form: FormData): Promise<void> {
    const name = String(form.get('name'));
    if (reply) await request('PATCH', `${base}/${reply.id}`, { version: reply.version, name, body });
    else await createOnce(base, { name, body, ...(isShared && { shared: true }) });
    settingsChanged();
    await onSaved();
    onClose();
  }

  function insert(variable: string): void {
    const field = area.current;
    if (!field) return;
    field.setRangeText(`{{${variable}}}`, field.selectionStart, field.selectionEnd, 'end');
    setBody(field.value);
    field.focus();
  }

  return (
    <Dialog title={t(reply ? 'canned.edit' : 'canned.create')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        <Field
          label={t('canned.name')}
          hint={t('canned.name_hint')}
          name="name"
          defaultValue={reply?.name ?? ''}
          isRequired
          autoFocus
        />
        <div className={styles.area}>
          <label htmlFor={bodyId}>{t('canned.body')}</label>
          <textarea
            ref={area}
            id={bodyId}
            name="body"
            dir="auto"
            placeholder=" "
            rows={5}
            required
            value={body}
            aria-describedby={`${bodyId}-hint`}
            onChange={(event) => setBody(event.target.value)}
          />
          <p id={`${bodyId}-hint`} role="status">
            {excess > 0 ? t('composer.too_long', { count: excess }) : t('canned.variables_hint')}
          </p>
          <div className={styles.variables}>
            {cannedReplyVariables.map((variable) => (
              <Button key={variable} onPress={() => insert(variable)}>
                {t(`canned.variable_${variable.replace('.', '_') as 'contact_name'}`)}
              </Button>
            ))}
          </div>
        </div>
        {!reply && mayShare && <Switch label={t('canned.share')} isSelected={isShared} onChange={setShared} />}
      </Form>
    </Dialog>
  );
}
