import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Message, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { fileFormatOf, slotsOf } from '../../composer/template-slots.ts';
import { DeliveryState } from '../../conversation/thread/delivery-state.tsx';
import { useLiveQuery } from '../../live/live-query.ts';
import { request } from '../../live/request.ts';
import { createOnce } from '../../live/request-once.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DialogActions } from '../../parts/dialog-actions.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import styles from './channels.module.css';

interface Props {
  workspace_id: string;
  channel_id: string;
  onClose: () => void;
}

/** Sends a template through the channel and shows how far it comes. */
export function TestMessage({ workspace_id, channel_id, onClose }: Props) {
  const path = `/workspaces/${workspace_id}/chatapp/templates?status=approved`;
  const templates = useQuery({ queryKey: [path], queryFn: () => request<{ data: Template[] }>('GET', path) });
  const [sent, setSent] = useState<Message>();
  if (sent) return <Sent workspace_id={workspace_id} id={sent.id} onClose={onClose} />;
  return (
    <Loaded query={templates}>
      {({ data }) => {
        const usable = data.filter((one) => one.category === 'utility' && fileFormatOf(one) === undefined);
        if (usable.length === 0) return <NoTemplate workspace_id={workspace_id} onClose={onClose} />;
        return <Choose {...{ workspace_id, channel_id, onClose }} templates={usable} onSent={setSent} />;
      }}
    </Loaded>
  );
}

function NoTemplate({ workspace_id, onClose }: Omit<Props, 'channel_id'>) {
  return (
    <>
      <Notice action={<Link href={`/w/${workspace_id}/templates`}>{t('channels.test_templates')}</Link>}>
        {t('channels.test_none')}
      </Notice>
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {t('channels.later')}
        </Button>
      </DialogActions>
    </>
  );
}

interface ChooseProps extends Props {
  templates: readonly Template[];
  onSent: (message: Message) => void;
}

function Choose({ workspace_id, channel_id, templates, onSent, onClose }: ChooseProps) {
  const [id, setId] = useState(templates[0]!.id);
  async function send(form: FormData) {
    const template = templates.find((one) => one.id === id)!;
    const params = slotsOf(template).map(({ example }) => example ?? t('channels.test'));
    const named = { name: template.name, language: template.language, ...(params.length > 0 && { params }) };
    const body = { channel_id, to: String(form.get('to')).trim(), kind: 'template', template: named };
    onSent(await createOnce<Message>(`/workspaces/${workspace_id}/messages`, body));
  }
  return (
    <Form place="dialog" submit={t('channels.test_send')} send={send} onCancel={onClose}>
      <p>{t('channels.test_hint')}</p>
      <Field
        label={t('channels.test_to')}
        hint={t('channels.test_to_hint')}
        name="to"
        type="tel"
        ltr
        isRequired
        autoFocus
      />
      <Choice
        label={t('channels.test_template')}
        options={templates.map((one) => ({ id: one.id, label: `${one.name} (${one.language})` }))}
        value={id}
        onChange={setId}
      />
    </Form>
  );
}

function Sent({ workspace_id, id, onClose }: { workspace_id: string; id: string; onClose: () => void }) {
  const concerns = useCallback(
    (change: LiveChange | LiveRemoval) => change.kind === 'status' && change.message_id === id,
    [id],
  );
  const message = useLiveQuery<Message>(`/workspaces/${workspace_id}/messages/${id}`, concerns);
  return (
    <>
      <Loaded query={message}>
        {({ body, status = 'queued', error }) => (
          <>
            <Soft>
              <span dir="auto">{body}</span>
            </Soft>
            <p className={styles.waiting} role="status" aria-label={t('channels.test_state')}>
              <DeliveryState status={status} />
            </p>
            {status === 'failed' && (
              <Notice kind="danger">{t('channels.test_failed', { reason: isolated(error ?? '') })}</Notice>
            )}
          </>
        )}
      </Loaded>
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {t('channels.done')}
        </Button>
      </DialogActions>
    </>
  );
}
