import type { AnyEventType, WebhookEndpoint } from '@majlis/contract';
import { useState } from 'react';
import { request } from '../../live/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { SecretDialog, SecretText } from '../../parts/secret-dialog.tsx';
import { Switch } from '../../parts/switch.tsx';
import type { WordId } from '../../words/word-id.ts';
import { t } from '../../words/words.ts';

export const eventWords: Record<AnyEventType, WordId> = {
  'message.received': 'webhooks.event_message_received',
  'message.status_updated': 'webhooks.event_message_status_updated',
  'template.status_updated': 'webhooks.event_template_status_updated',
  'conversation.assigned': 'webhooks.event_conversation_assigned',
  'conversation.closed': 'webhooks.event_conversation_closed',
  'conversation.reopened': 'webhooks.event_conversation_reopened',
  'conversation.handed_over': 'webhooks.event_conversation_handed_over',
  'note.added': 'webhooks.event_note_added',
  'contact.created': 'webhooks.event_contact_created',
  'contact.updated': 'webhooks.event_contact_updated',
  'contact.merged': 'webhooks.event_contact_merged',
  'contact.erased': 'webhooks.event_contact_erased',
  'broadcast.finished': 'webhooks.event_broadcast_finished',
  'media.ready': 'webhooks.event_media_ready',
  'template.quality_updated': 'webhooks.event_template_quality_updated',
  'channel.state_updated': 'webhooks.event_channel_state_updated',
};
const types = Object.keys(eventWords) as AnyEventType[];
/** What `*` means: the types of the contract. The others are chosen one by one. */
const ofContract: readonly string[] = ['message.received', 'message.status_updated', 'template.status_updated'];

interface Props {
  path: string;
  /** The endpoint that changes. Absent: a new one. */
  endpoint?: WebhookEndpoint;
  /** Of the endpoint as the person saw it. */
  version?: string;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

/** Registers a webhook endpoint and shows its secret once, or changes one. */
export function EndpointDialog({ path, endpoint, version: seen, onClose, onSaved }: Props) {
  const [isAll, setAll] = useState(endpoint?.events.includes('*') ?? true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(endpoint?.events.filter((type) => type !== '*')));
  const [isFurtherChosen] = useState([...chosen].some((type) => !ofContract.includes(type)));
  const [isFull, setFull] = useState(endpoint?.event_data === 'full');
  const [secret, setSecret] = useState<string>();
  // What the page reads meanwhile is not what the fields show.
  const [version] = useState(seen);
  const title = t(endpoint ? 'webhooks.edit_title' : 'webhooks.add_title');

  async function send(form: FormData) {
    const description = String(form.get('description') ?? '').trim();
    const body = {
      url: form.get('url'),
      events: isAll ? ['*', ...[...chosen].filter((type) => !ofContract.includes(type))] : [...chosen],
      event_data: isFull ? 'full' : 'basic',
      ...(!endpoint && description && { description }),
    };
    if (endpoint) {
      await request('PATCH', `${path}/${endpoint.id}/state`, { version, ...body });
      await onSaved();
      return onClose();
    }
    const made = await request<WebhookEndpoint>('POST', path, body);
    setSecret(made.secret);
    await onSaved();
  }
  function toggle(type: AnyEventType, isOn: boolean) {
    const kept = [...chosen].filter((one) => one !== type);
    setChosen(new Set(isOn ? [...kept, type] : kept));
  }
  const switchOf = (type: AnyEventType) => (
    <Switch
      key={type}
      label={t(eventWords[type])}
      isSelected={chosen.has(type)}
      onChange={(isOn) => toggle(type, isOn)}
    />
  );
  if (secret) {
    return (
      <SecretDialog
        title={title}
        hint={t('webhooks.secret_once')}
        text={secret}
        file="majlis-webhook-secret.txt"
        onClose={onClose}
      >
        <SecretText text={secret} label={t('webhooks.secret')} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form place="dialog" submit={t(endpoint ? 'app.save' : 'webhooks.add_submit')} send={send} onCancel={onClose}>
        <Field
          label={t('webhooks.url')}
          hint={t('webhooks.url_hint')}
          name="url"
          type="url"
          ltr
          isRequired
          autoFocus
          {...(endpoint && { defaultValue: endpoint.url })}
        />
        {!endpoint && <Field label={t('webhooks.description')} name="description" />}
        <fieldset>
          <legend>{t('webhooks.events')}</legend>
          <Switch label={t('webhooks.all_events')} isSelected={isAll} onChange={setAll} />
          {!isAll && types.filter((type) => ofContract.includes(type)).map(switchOf)}
          {/* Closed, the dialog stays short: an error that leaves its field must not move the button under a press. */}
          <details open={isFurtherChosen}>
            <summary>{t('webhooks.further_events')}</summary>
            {types.filter((type) => !ofContract.includes(type)).map(switchOf)}
          </details>
          {!isAll && chosen.size === 0 && <Soft>{t('webhooks.events_needed')}</Soft>}
        </fieldset>
        <Switch label={t('webhooks.full_data')} isSelected={isFull} onChange={setFull} />
        <Soft>{t('webhooks.full_data_hint')}</Soft>
      </Form>
    </Dialog>
  );
}
