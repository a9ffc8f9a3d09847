import type { ChannelType } from '@majlis/contract';
import { listChannels } from '../../channels/read-channels.ts';
import { touchContacts } from '../../contacts/write/touch-contacts.ts';
import { findLatestConversations } from '../../conversations/find-or-create-conversations.ts';
import {
  type ImportedActivity,
  type ImportedConversation,
  insertImportedConversations,
  touchByImport,
} from '../../conversations/queries.ts';
import { newId, parseId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { listUsers } from '../../users/read-users.ts';
import { insertMessages, type NewMessage } from '../queries.ts';
import { indexAgain } from '../search/index-again.ts';
import { historyId } from './history-id.ts';
import type { HistoryContact, HistoryImport, HistoryMessage, HistoryResult } from './history-import.ts';
import { placeContacts } from './place-contacts.ts';

// A request holds one transaction open.
const mostMessages = 2_000;
const earliest = Date.parse('2000-01-01T00:00:00Z');

// Two imports of the same messages at once would both miss them.
const lockHistory = statement(
  `select pg_advisory_xact_lock(hashtextextended('messages.history ' || $1::uuid::text, 0))`,
);
const selectKnown = statement<{ id: string }>(`
  select m.id from unnest($2::uuid[]) as wanted (id) cross join lateral (
    select id from messages m where m.workspace_id = $1 and m.id = wanted.id limit 1) m`);

/**
 * Stores contacts, conversations and messages of another system: nothing is sent, no endpoint gets an event, no workflow starts
 * and no window opens. Known contacts and conversations stay as they are, and known messages are not stored again.
 */
export async function importHistory(
  tx: Transaction,
  resources: Pick<Resources, 'clock' | 'config'>,
  caller: Pick<Caller, 'workspace_id' | 'country'>,
  { source, channel_id, contacts }: HistoryImport,
): Promise<HistoryResult> {
  const { workspace_id } = caller;
  checkMessages(contacts, resources.clock.nowMs());
  await lockHistory(tx, [workspace_id]);
  const channel = await findTarget(tx, workspace_id, channel_id);
  const emails = new Map((await listUsers(tx, workspace_id)).map(({ id, email }) => [email.toLowerCase(), id]));
  const userOf = (email: string | undefined) => emails.get(email?.trim().toLowerCase() ?? '') ?? null;
  const target = { channel_type: channel.type as ChannelType, contacts };
  const { placed, counts, failed } = await placeContacts(tx, resources, caller, target);

  const talking = placed.filter(({ entries }) => entries.some(({ conversation }) => conversation));
  const keys = talking.map(({ contact_id }) => ({ workspace_id, contact_id, channel_id: channel.id }));
  const known = keys.length > 0 ? await findLatestConversations(tx, keys) : new Map<number, string>();
  const created: ImportedConversation[] = [];
  const touched: ImportedActivity[] = [];
  const activities: { workspace_id: string; id: string; at: Date }[] = [];
  const rows: NewMessage[] = [];
  for (const [n, { contact_id, identifier, entries }] of talking.entries()) {
    const conversations = entries.flatMap(({ conversation }) => conversation ?? []);
    const id = known.get(n) ?? newId(resources.clock);
    const own = conversations.flatMap(({ messages }) =>
      messages.map((message) => {
        const actor = actorOf(message, userOf(message.author_email));
        const place = { workspace_id, conversation_id: id, channel_id: channel.id };
        return { ...place, ...toRow(`${workspace_id} ${source}`, source, message), ...actor };
      }),
    );
    if (own.length === 0) continue;
    for (const row of own) rows.push(row);
    const activity = { workspace_id, id, ...activityOf(own) };
    activities.push({ workspace_id, id: contact_id, at: activity.last_message_at });
    if (known.has(n)) touched.push(activity);
    else {
      const status = conversations.some((one) => one.status === 'open') ? 'open' : 'closed';
      const assignee_id = conversations.map((one) => userOf(one.assignee_email)).find((user) => user !== null) ?? null;
      const created_at = own.reduce((first, row) => (row.id < first.id ? row : first)).created_at;
      const place = { contact_id, channel_id: channel.id, channel_type: channel.type, identifier };
      created.push({ ...activity, ...place, status, assignee_id, created_at });
    }
  }
  await insertImportedConversations(tx, created);
  const ids = rows.map(({ id }) => id);
  const stored = new Set((await selectKnown(tx, [workspace_id, ids])).map(({ id }) => id));
  const fresh = rows.filter(({ id }) => !stored.has(id));
  await insertMessages(tx, fresh);
  await touchByImport(tx, touched);
  await touchContacts(tx, activities);
  const oldest = fresh.map(({ id }) => id).toSorted()[0];
  if (oldest) await indexAgain(tx, workspace_id, oldest);
  return {
    contacts: counts,
    conversations: { created: created.length },
    messages: { stored: fresh.length, known: rows.length - fresh.length },
    failed,
  };
}

async function findTarget(tx: Transaction, workspace_id: string, channel_id: string | undefined) {
  const channels = await listChannels(tx, workspace_id);
  const id = channel_id === undefined ? undefined : parseId('channel', channel_id);
  const channel =
    channel_id === undefined && channels.length === 1 ? channels[0] : channels.find((one) => one.id === id);
  if (channel) return channel;
  const detail =
    channel_id === undefined
      ? 'is needed: the workspace has not exactly one channel'
      : 'names no channel of the workspace';
  throw invalid({ detail, pointer: '/channel_id' });
}

function checkMessages(contacts: readonly HistoryContact[], now_ms: number): void {
  const seen = new Set<number>();
  for (const [index, { conversation }] of contacts.entries()) {
    for (const [place, { at, number }] of (conversation?.messages ?? []).entries()) {
      const pointer = `/contacts/${index}/conversation/messages/${place}`;
      const ms = Date.parse(at);
      if (ms < earliest || ms > now_ms) throw invalid({ detail: 'must be of the past', pointer: `${pointer}/at` });
      if (seen.has(number)) throw invalid({ detail: 'names a message twice', pointer: `${pointer}/number` });
      seen.add(number);
    }
  }
  if (seen.size <= mostMessages) return;
  throw invalid({ detail: `have more than ${mostMessages} messages: send them in parts`, pointer: '/contacts' });
}

type RowOfHistory = Omit<NewMessage, 'workspace_id' | 'conversation_id' | 'channel_id' | 'actor_kind' | 'actor_id'>;

/** A message that the business sent has no status: this service did not send it, and counts it in no figure of its sends. */
function toRow(scope: string, source: string, { number, at, kind, body }: HistoryMessage): RowOfHistory {
  const created_at = new Date(at);
  return {
    id: historyId(scope, { number, at: created_at }),
    direction: kind === 'inbound' ? 'inbound' : 'outbound',
    kind: kind === 'note' ? 'note' : 'text',
    body,
    reply_to_id: null,
    status: null,
    recipient: null,
    content: { imported: { source, number } },
    created_at,
  };
}

function actorOf({ kind }: HistoryMessage, user_id: string | null): Pick<NewMessage, 'actor_kind' | 'actor_id'> {
  if (kind === 'inbound') return { actor_kind: 'contact', actor_id: null };
  return user_id ? { actor_kind: 'user', actor_id: user_id } : { actor_kind: 'import', actor_id: null };
}

function activityOf(rows: readonly NewMessage[]): Omit<ImportedActivity, 'workspace_id' | 'id'> {
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lastCustomer = inOrder.findLast(({ direction }) => direction === 'inbound');
  const lastBusiness = inOrder.findLast(({ direction, kind }) => direction === 'outbound' && kind !== 'note');
  return {
    last_message_at: (inOrder.findLast(({ kind }) => kind !== 'note') ?? inOrder.at(-1)!).created_at,
    last_customer_at: lastCustomer?.created_at ?? null,
    last_customer_message_id: lastCustomer?.id ?? null,
    last_business_message_id: lastBusiness?.id ?? null,
  };
}
