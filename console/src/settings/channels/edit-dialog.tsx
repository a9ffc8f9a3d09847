import type { ChannelState } from '@majlis/console-api';
import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { Failure, request } from '../../live/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import { channelPath } from './channel-data.ts';

interface Props {
  workspace_id: string;
  state: ChannelState;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

/** Changes the name, the account and the secrets. A secret comes in and is never shown. */
export function EditDialog({ workspace_id, state, onClose, onSaved }: Props) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [{ version, channel }] = useState(state);
  const [problem, setProblem] = useState<'channels.edit_stale' | 'channels.edit_nothing'>();
  async function send(form: FormData) {
    const read = (member: string) => String(form.get(member) ?? '').trim();
    const changed = (['name', 'waba_id'] as const).filter((member) => read(member) !== (channel[member] ?? ''));
    const replaced = (['access_token', 'app_secret'] as const).filter((member) => read(member) !== '');
    const members = [...changed, ...replaced];
    if (members.length === 0) return setProblem('channels.edit_nothing');
    const body = { version, ...Object.fromEntries(members.map((member) => [member, read(member)])) };
    try {
      await confirmed(() => request('PATCH', channelPath(workspace_id, channel.id), body));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'changed_meanwhile') throw error;
      setProblem('channels.edit_stale');
      return;
    }
    tell(t('app.saved'));
    await onSaved();
    onClose();
  }
  return (
    <Dialog title={t('channels.edit_title')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        {problem && <Notice kind="danger">{t(problem)}</Notice>}
        <Field label={t('channels.name')} name="name" isRequired autoFocus defaultValue={channel.name ?? ''} />
        <Field
          label={t('channels.waba_id')}
          hint={t('channels.waba_id_hint')}
          name="waba_id"
          ltr
          isRequired
          defaultValue={channel.waba_id ?? ''}
        />
        <fieldset>
          <legend>{t('channels.edit_secrets')}</legend>
          <Soft>{t('channels.edit_secrets_hint')}</Soft>
          <Field label={t('channels.access_token')} name="access_token" type="password" autoComplete="off" />
          <Field label={t('channels.app_secret')} name="app_secret" type="password" autoComplete="off" />
        </fieldset>
      </Form>
    </Dialog>
  );
}
