import type { Contact, Conversation, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';
import { type HeaderFileState, useHeaderFile } from './header-file.tsx';
import type { HeaderUpload } from './header-upload.ts';
import type { WrittenValues } from './panels.ts';
import {
  type ContactValues,
  fileFormatOf,
  fillSlots,
  partOf,
  type Slot,
  slotsOf,
  suggestValue,
} from './template-slots.ts';

export interface TemplateDraft {
  template: Template;
  slots: readonly Slot[];
  /** A value for each slot. */
  values: readonly string[];
  known: ContactValues;
  file: HeaderFileState;
  isComplete: boolean;
  set(index: number, value: string): void;
}

interface Options {
  workspace_id: string;
  conversation: Pick<Conversation, 'contact_id' | 'contact_name' | 'contact_handle'>;
  template: Template;
  /** What a person has written, or the message said before. The rest follows the contact. */
  written: WrittenValues | undefined;
  upload: HeaderUpload;
  onWrite: (written: WrittenValues) => void;
}

/** The values of a template: what a person writes, and before that what the contact most likely has for it. */
export function useTemplateDraft({
  workspace_id,
  conversation,
  template,
  written,
  upload,
  onWrite,
}: Options): TemplateDraft {
  const slots = slotsOf(template);
  const known = useContactValues(workspace_id, conversation);
  const values = slots.map((slot, index) => written?.[index] ?? suggestValue(slot, known));
  const file = useHeaderFile(upload);
  const isComplete =
    values.every((value) => value.trim() !== '') && (!fileFormatOf(template) || file.media !== undefined);
  const set = (index: number, value: string) => onWrite({ ...written, [index]: value });
  return { template, slots, values, known, file, isComplete, set };
}

/** The message as the service takes it, and the text that the customer reads. */
export function composeTemplate({ template, slots, values, file }: TemplateDraft) {
  const { name, language } = template;
  const named = { name, language, ...(values.length > 0 && { params: [...values] }) };
  const header = file.media && fileFormatOf(template) ? { header_media_id: file.media.id } : {};
  const shown = fillSlots(partOf(template, 'body')?.text ?? name, 'body', { slots, values });
  return { content: { kind: 'template' as const, template: { ...named, ...header } }, shown };
}

function useContactValues(
  workspace_id: string,
  { contact_id, contact_name, contact_handle }: Options['conversation'],
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
