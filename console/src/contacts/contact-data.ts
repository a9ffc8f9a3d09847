import type { ContactValues } from '@majlis/console-api';
import type { Contact, CustomField, Tag } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { conversationChanged, conversations } from '../live/conversations.ts';
import { useLiveQuery } from '../live/live-query.ts';
import { queries } from '../live/queries.ts';
import { Failure, request } from '../live/request.ts';

export interface ContactAddress {
  workspace_id: string;
  contact_id: string;
}

export const contactPath = ({ workspace_id, contact_id }: ContactAddress) =>
  `/workspaces/${workspace_id}/contacts/${contact_id}`;

/** The contact, as it is now. After an erasure, nothing of it is left in the page. */
export function useContact(address: ContactAddress) {
  const { contact_id } = address;
  const query = useLiveQuery<Contact>(
    contactPath(address),
    (change) => change.kind === 'contact' && change.contact_id === contact_id,
  );
  const isGone = query.error instanceof Failure && query.error.code === 'not_found';
  return { query, isGone };
}

const none: readonly never[] = [];

export function useCustomFields(workspace_id: string): readonly CustomField[] {
  const path = `/workspaces/${workspace_id}/custom-fields`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: () => request<{ data: CustomField[] }>('GET', path),
    staleTime: 60_000,
  });
  return data?.data ?? none;
}

/** The tags of the workspace with their numbers of contacts, read when somebody is about to add one. */
export function useTags(workspace_id: string, isWanted: boolean): readonly Tag[] {
  const path = `/workspaces/${workspace_id}/tags`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: () => request<{ data: Tag[] }>('GET', path),
    enabled: isWanted,
  });
  return data?.data ?? none;
}

interface Edit {
  expected?: ContactValues;
  changes?: ContactValues;
  add_tags?: string[];
  remove_tags?: string[];
}

/** Rejects with `changed_meanwhile` where a value is another than the expected one. */
export async function editContact(address: ContactAddress, edit: Edit): Promise<Contact> {
  const contact = await request<Contact>('POST', `${contactPath(address)}/edit`, edit);
  showContact(address, contact);
  return contact;
}

export async function readContact(address: ContactAddress): Promise<Contact> {
  const contact = await request<Contact>('GET', contactPath(address));
  showContact(address, contact);
  return contact;
}

export function showContact(address: ContactAddress, contact: Contact): void {
  queries.setQueryData([contactPath(address)], contact);
}

/** Drops what this page has of an erased contact. The stream tells the same of its conversations. */
export function forgetContact(address: ContactAddress): void {
  const path = contactPath(address);
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => String(name).startsWith(path) });
}

/** The conversation stands for its contact, whose name it shows. */
export function conversationOfContactChanged(conversation_id: string): void {
  if (conversations.get(conversation_id)) conversationChanged(conversation_id);
}
