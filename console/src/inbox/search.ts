import type { MessageSearchPage } from '@majlis/console-api';
import type { Contact, Conversation } from '@majlis/contract';
import { request } from '../live/request.ts';
import { serverNow } from '../live/session.ts';
import type { SearchFilter } from './search-filter.ts';

export interface FoundPeople {
  conversations: Conversation[];
  /** Those who have none of the conversations. */
  contacts: Contact[];
}

const mostPeople = 8;
const messagesPerPage = 20;
const betweenKeysMs = 200;
const daysOf = { week: 7, month: 30, year: 365 };

// A text that is typed on is not searched.
async function untilTyped(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
  signal.throwIfAborted();
}

export async function findPeople(workspace_id: string, q: string, signal: AbortSignal): Promise<FoundPeople> {
  await untilTyped(signal);
  const query = new URLSearchParams({ q, limit: String(mostPeople) });
  const [conversations, contacts] = await Promise.all([
    request<{ data: Conversation[] }>('GET', `/workspaces/${workspace_id}/conversations?${query}`),
    request<{ data: Contact[] }>('GET', `/workspaces/${workspace_id}/contacts?${query}`),
  ]);
  const having = new Set(conversations.data.map(({ contact_id }) => contact_id));
  return { conversations: conversations.data, contacts: contacts.data.filter(({ id }) => !having.has(id)) };
}

interface PageOfMessages {
  q: string;
  filter: SearchFilter;
  cursor: string | undefined;
}

export async function findMessages(
  workspace_id: string,
  { q, filter: { author, period }, cursor }: PageOfMessages,
  signal: AbortSignal,
): Promise<MessageSearchPage> {
  if (cursor === undefined) await untilTyped(signal);
  const query = new URLSearchParams({ q, limit: String(messagesPerPage) });
  if (author !== 'anyone') query.set('written_by', author);
  if (period !== 'any') query.set('since', startOf(period));
  if (cursor !== undefined) query.set('cursor', cursor);
  return request<MessageSearchPage>('GET', `/workspaces/${workspace_id}/message-search?${query}`);
}

/** The beginning of a day, so that all pages of a search have the same one. */
function startOf(period: keyof typeof daysOf): string {
  const day = new Date(serverNow() - daysOf[period] * 86_400_000);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}
