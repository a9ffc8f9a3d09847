import type { Quote } from '@majlis/console-api';
import type { Contact, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, UserRound } from 'lucide-react';
import { useState } from 'react';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { HeaderFile, useHeaderFile } from './header-file.tsx';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import { MessagePrice } from './message-price.tsx';
import styles from './panel.module.css';
import type { PanelProps } from './panel-props.ts';
import { openPanel } from './panels.ts';
import { firstNameOf } from './people.ts';
import { refusalWords } from './template-list.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { refusalOf } from './template-refusal.ts';
import {
  type ContactValues,
  fileFormatOf,
  fillSlots,
  partOf,
  type Slot,
  slotsOf,
  suggestValue,
} from './template-slots.ts';

interface Props extends PanelProps {
  template: Template;
  /** The values of a send that was refused. */
  params: readonly string[] | undefined;
  onBack: () => void;
}

/** The values of a template, beside the message as the customer will see it. */
export function TemplateForm({ template, params, onBack, ...props }: Props) {
  const { membership, conversation, gate, writing, onClose } = props;
  const { workspace_id } = membership;
  const slots = slotsOf(template);
  const known = useContactValues(workspace_id, conversation);
  /** What the person has written; the rest follows the contact. */
  const [written, setWritten] = useState<Readonly<Record<number, string>>>({ ...params });
  const values = slots.map((slot, index) => written[index] ?? suggestValue(slot, known));
  const format = fileFormatOf(template);
  const file = useHeaderFile(workspace_id);
  const refusal = refusalOf(template, gate);
  // What else refuses it may have changed until then.
  const isRefusedLater = refusal === 'opt_in';
  const price = useTemplatePrice(workspace_id, conversation.id, template);
  const isComplete = values.every((value) => value.trim() !== '') && (!format || file.media !== undefined);
  const set = (index: number, value: string) => setWritten({ ...written, [index]: value });

  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    if (!isComplete || (moment ? isRefusedLater : refusal)) return;
    const { name, language } = template;
    const named = { name, language, ...(values.length > 0 && { params: values }) };
    const header = file.media && format ? { header_media_id: file.media.id } : {};
    const ofHeader = slots.filter(({ part }) => part === 'header').length;
    const ofBody = slots.filter(({ part }) => part === 'body').length;
    const shown = fillSlots(partOf(template, 'body')?.text ?? name, values.slice(ofHeader, ofHeader + ofBody));
    const content = { kind: 'template' as const, template: { ...named, ...header } };
    const giveBack = () =>
      openPanel(conversation.id, { type: 'templates', template: { name, language, params: values } });
    if (moment) void writing.scheduleContent(content, moment, giveBack);
    else writing.sendContent(content, shown, giveBack);
    if (onClose) onClose();
    else onBack();
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.sides}>
        <div className={styles.fields}>
          {format && <HeaderFile format={format} file={file} />}
          {slots.map((slot, index) => (
            <div key={`${slot.part} ${slot.number}`} className={styles.choice}>
              <Field
                label={labelOf(slot)}
                value={values[index]!}
                onChange={(value) => set(index, value)}
                isRequired
                {...(slot.example !== undefined && {
                  hint: t('composer.template_example', { example: isolated(slot.example) }),
                })}
              />
              <ContactMenu slot={slot} known={known} onTake={(value) => set(index, value)} />
            </div>
          ))}
          {slots.length === 0 && !format && <p className={styles.soft}>{t('composer.template_no_values')}</p>}
        </div>
        <TemplatePreview template={template} values={values} file={file} />
      </div>
      <div className={styles.actions}>
        {refusal ? <p role="status">{refusalWords(refusal)}</p> : <MessagePrice price={price} />}
        <Button onPress={onBack}>
          <ArrowLeft size={16} data-directional aria-hidden />
          {t('composer.template_back')}
        </Button>
        <LaterButton
          workspace_id={workspace_id}
          gate={gate}
          isTemplate
          isDisabled={!isComplete || isRefusedLater}
          onChoose={send}
        />
        <Button type="submit" look="primary" isDisabled={!isComplete || refusal !== undefined}>
          {t('composer.template_send')}
        </Button>
      </div>
    </form>
  );
}

function labelOf({ part, number, button }: Slot): string {
  if (part === 'header') return t('composer.template_header_value');
  if (part === 'button') return t('composer.template_button_value', { name: isolated(button ?? '') });
  return t('composer.template_value', { number });
}

function ContactMenu({ slot, known, onTake }: { slot: Slot; known: ContactValues; onTake: (value: string) => void }) {
  const entries = [...new Set([known.name, firstNameOf(known.name), known.phone, known.email])]
    .filter(Boolean)
    .map((value) => ({ id: value, label: value }));
  if (entries.length === 0) return null;
  return (
    <Menu label={`${t('composer.template_from_contact')}: ${labelOf(slot)}`} entries={entries} onAction={onTake}>
      <UserRound size={16} aria-hidden />
    </Menu>
  );
}

function useTemplatePrice(workspace_id: string, conversation_id: string, { name, language }: Template) {
  const path = `/workspaces/${workspace_id}/quote`;
  const body = { conversation_id, template: { name, language } };
  return useQuery({ queryKey: [path, body], queryFn: () => request<Quote>('POST', path, body), staleTime: 0 }).data;
}

function useContactValues(
  workspace_id: string,
  { contact_id, contact_name, contact_handle }: PanelProps['conversation'],
): ContactValues {
  const path = `/workspaces/${workspace_id}/contacts/${contact_id}`;
  const { data } = useQuery({ queryKey: [path], queryFn: () => request<Contact>('GET', path) });
  const phone = data?.identities.find(({ identifier }) => identifier.startsWith('+'))?.identifier;
  return {
    name: data?.name ?? contact_name ?? '',
    phone: phone ?? (contact_handle?.startsWith('+') ? contact_handle : ''),
    email: data?.email ?? '',
  };
}
