import type { Channel, Contact, Message, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openConversation } from '../app/open-conversation.ts';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { slotLabel } from '../composer/slot-label.ts';
import { TemplatePreview } from '../composer/template-preview.tsx';
import { fileFormatOf, slotsOf, suggestValue } from '../composer/template-slots.ts';
import { makeKey } from '../live/make-key.ts';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';

interface Props {
  workspace_id: string;
  contact: Contact;
  onClose: () => void;
}

/** Writes to a contact first: with a template, through a channel that the person chooses where there are several. */
export function SendTemplateDialog({ workspace_id, contact, onClose }: Props) {
  const base = `/workspaces/${workspace_id}`;
  const choices = useQuery({
    queryKey: [base, 'write first'],
    async queryFn() {
      const [templates, channels] = await Promise.all([
        request<{ data: Template[] }>('GET', `${base}/chatapp/templates?status=approved`),
        request<{ data: Channel[] }>('GET', `${base}/channels`),
      ]);
      // A file of the header is chosen in the conversation.
      return { templates: templates.data.filter((one) => !fileFormatOf(one)), channels: channels.data };
    },
  });
  return (
    <Dialog title={t('contacts.write')} onClose={onClose}>
      <Loaded query={choices}>
        {({ templates, channels }) =>
          templates.length === 0 || channels.length === 0 ? (
            <>
              <Notice>{t('contacts.write_none')}</Notice>
              <DialogActions>
                <Button onPress={onClose}>{t('app.close')}</Button>
              </DialogActions>
            </>
          ) : (
            <Write {...{ workspace_id, contact, templates, channels, onClose }} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface WriteProps extends Props {
  templates: readonly Template[];
  channels: readonly Channel[];
}

const nameOf = ({ id, name, display_phone }: Channel) => name ?? display_phone ?? id;
const noFile = { choose: () => {}, remove: () => {} };

function Write({ workspace_id, contact, templates, channels, onClose }: WriteProps) {
  const [chosen, setChosen] = useState(templates[0]!);
  const [channel, setChannel] = useState(channels[0]!);
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});
  // A repeat after a lost answer sends nothing twice.
  const [idempotency_key] = useState(makeKey);
  const { id } = chosen;
  const listed = templates.find((one) => one.id === id);
  // One that is gone stays, with what was written in it.
  const template = listed ?? chosen;
  const isChannelGone = channels.every((one) => one.id !== channel.id);
  const phone = contact.identities.find(({ identifier }) => identifier.startsWith('+'))?.identifier ?? '';
  const known = { name: contact.name ?? '', phone, email: contact.email ?? '' };
  const slots = slotsOf(template);
  const values = slots.map((slot, index) => written[`${id} ${index}`] ?? suggestValue(slot, known));

  async function send() {
    const { name, language } = template;
    const named = { name, language, ...(values.length > 0 && { params: values }) };
    const body = { channel_id: channel.id, contact_id: contact.id, kind: 'template', template: named };
    const sent = await request<Message>('POST', `/workspaces/${workspace_id}/messages`, body, { idempotency_key });
    openConversation(workspace_id, sent.conversation_id);
  }
  return (
    <Form
      place="dialog"
      submit={t('contacts.write_send')}
      isSendable={listed !== undefined && !isChannelGone}
      send={send}
      onCancel={onClose}
    >
      {(channels.length > 1 || isChannelGone) && (
        <Choice
          label={t('contacts.write_channel')}
          options={channels.map((one) => ({
            id: one.id,
            label: nameOf(one),
            ...(one.display_phone !== undefined && { hint: one.display_phone }),
          }))}
          value={channel.id}
          gone={nameOf(channel)}
          onChange={(next) => setChannel(channels.find((one) => one.id === next)!)}
        />
      )}
      {isChannelGone && <Notice kind="danger">{t('composer.no_channel')}</Notice>}
      <Choice
        label={t('contacts.write_template')}
        options={templates.map((one) => ({ id: one.id, label: one.name, hint: nameOfLanguage(one.language) }))}
        value={id}
        gone={template.name}
        onChange={(next) => setChosen(templates.find((one) => one.id === next)!)}
      />
      {!listed && <Notice kind="danger">{t('error.template_not_found')}</Notice>}
      {slots.map((slot, index) => (
        <Field
          key={`${id} ${slot.part} ${slot.number}`}
          label={slotLabel(slot)}
          isRequired
          value={values[index]!}
          onChange={(value) => setWritten({ ...written, [`${id} ${index}`]: value })}
          {...(slot.example !== undefined && {
            hint: t('composer.template_example', { example: isolated(slot.example) }),
          })}
        />
      ))}
      <TemplatePreview template={template} values={values} file={noFile} />
      {template.category === 'marketing' && contact.consents.chatapp_marketing !== true && (
        <Notice kind="danger">{t('composer.template_no_opt_in')}</Notice>
      )}
    </Form>
  );
}
