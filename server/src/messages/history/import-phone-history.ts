import { findOrCreateReported } from '../../contacts/write/find-or-create-reported.ts';
import type { FoundIdentity } from '../../contacts/write/person-identity.ts';
import { touchContacts } from '../../contacts/write/touch-contacts.ts';
import { findLatestConversations } from '../../conversations/find-or-create-conversations.ts';
import { type ImportedActivity, insertImportedConversations, touchByImport } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { insertMessages, type NewMessage } from '../queries.ts';
import { enqueueFetches } from '../receive/enqueue-fetches.ts';
import { findQuoted } from '../receive/find-quoted.ts';
import { linkToImported } from '../receive/link-quotes.ts';
import { toMessageRow } from '../receive/receive-messages.ts';
import { selectStored, underStoredIds } from '../receive/under-stored-ids.ts';
import { indexAgain } from '../search/index-again.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { historyId, importedFromPhone } from './history-id.ts';
import type { PhoneMessage } from './phone-message.ts';

/**
 * Stores messages that the phone app shares, each once, at the place of its original time. Nothing else follows: no event, no
 * window, no count, no workflow. A new conversation is closed, because nobody has to answer it.
 */
export async function importPhoneHistory(
  tx: Transaction,
  clock: Clock,
  messages: readonly PhoneMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const ids = messages.map(({ workspace_id, channel_id, platform_message_id }, n) => {
    return { n, workspace_id, channel_id, platform_message_id };
  });
  const known = new Set((await selectStored(tx, [JSON.stringify(ids)])).map(({ n }) => n));
  await fillPlaceholders(
    tx,
    clock,
    messages.filter((_, n) => known.has(n)),
  );
  const unknown = messages.filter((_, n) => !known.has(n));
  if (unknown.length > 0) await storeAll(tx, clock, unknown);
}

async function storeAll(tx: Transaction, clock: Clock, messages: readonly PhoneMessage[]): Promise<void> {
  const now = clock.now();
  const reported = await placeAll(tx, clock, messages);
  const placed = await underStoredIds(tx, reported, reported);
  await fillPlaceholders(
    tx,
    clock,
    placed.filter(({ platform_message_id }, n) => platform_message_id !== messages[n]!.platform_message_id),
  );
  const quoted = await findQuoted(tx, placed);
  const rows = placed.map((message, n) => toRow(message, quoted.get(n) ?? null, now));
  const stored = await insertMessages(tx, rows);
  const fresh = rows.filter(({ id }) => stored.has(id));
  await linkToImported(
    tx,
    placed.filter(({ id }) => stored.has(id)),
  );
  await touchByImport(tx, activitiesOf(rows.filter(({ id }, n) => stored.has(id) && !placed[n]!.is_silent)));
  await touchContacts(
    tx,
    placed.map(({ workspace_id, contact_id: id, at }) => ({ workspace_id, id, at })),
  );
  await enqueueFetches(
    tx,
    placed.flatMap((message, n) =>
      stored.has(message.id) ? [{ ...rows[n]!, created_at: now, platform_media_id: message.platform_media_id }] : [],
    ),
  );
  for (const [workspace_id, oldest] of oldestOf(fresh)) await indexAgain(tx, workspace_id, oldest);
}

interface PlacedMessage extends PhoneMessage, Pick<FoundIdentity, 'contact_id' | 'identifier' | 'wa_id' | 'user_id'> {
  id: string;
  conversation_id: string;
}

/** The messages with their contacts and conversations. */
async function placeAll(tx: Transaction, clock: Clock, messages: readonly PhoneMessage[]): Promise<PlacedMessage[]> {
  const now = clock.now();
  const timed = messages.map((message) => ({ ...message, at: message.at > now ? now : message.at }));
  const contacts = await findOrCreateReported(tx, clock, timed, { is_silent: true });
  const keys = timed.map(({ workspace_id, channel_id }, n) => {
    return { workspace_id, channel_id, contact_id: contacts[n]!.contact_id };
  });
  const found = await findLatestConversations(tx, keys);
  const begun = new Map<string, string>();
  const placed = timed.map((message, n) => {
    const { contact_id, identifier, wa_id, user_id } = contacts[n]!;
    const key = `${message.channel_id} ${contact_id}`;
    const conversation_id = found.get(n) ?? begun.get(key) ?? newId(clock);
    if (!found.has(n)) begun.set(key, conversation_id);
    const scope = `${message.workspace_id} ${message.channel_id} ${message.platform_message_id}`;
    const id = historyId(scope, { number: message.place, at: message.at });
    return { ...message, id, contact_id, identifier, wa_id, user_id, conversation_id };
  });
  const first = placed.filter((_, n) => !found.has(n));
  await insertImportedConversations(tx, conversationsOf(first));
  return placed;
}

/** The new conversations of these messages. */
function conversationsOf(messages: readonly PlacedMessage[]): Parameters<typeof insertImportedConversations>[1] {
  const byConversation = Map.groupBy(messages, ({ conversation_id }) => conversation_id);
  return [...byConversation].map(([id, own]) => {
    const { workspace_id, contact_id, channel_id, channel_type, identifier } = own[0]!;
    const said = own.filter(({ is_silent }) => !is_silent);
    return {
      ...{ workspace_id, id, contact_id, channel_id, channel_type, identifier },
      ...{ status: 'closed' as const, assignee_id: null, created_at: timesOf(own)[0]! },
      last_message_at: timesOf(said.length > 0 ? said : own).at(-1)!,
      ...{ last_customer_at: null, last_customer_message_id: null, last_business_message_id: null },
    };
  });
}

/** The earliest first. */
function timesOf(messages: readonly PlacedMessage[]): Date[] {
  return messages.map(({ at }) => at).sort((one, other) => one.getTime() - other.getTime());
}

/** What the business wrote has no status: this service did not send it, and counts it in no figure of its sends. */
function toRow(message: PlacedMessage, reply_to_id: string | null, now: Date): NewMessage {
  const { id, conversation_id, at, by, identifier } = message;
  const row = toMessageRow(message, { id, conversation_id, reply_to_id, created_at: at });
  const content = { ...message.content, imported: importedFromPhone(now) };
  if (by === 'customer') return { ...row, content };
  return { ...row, content, direction: 'outbound', actor_kind: null, recipient: identifier };
}

function activitiesOf(rows: readonly NewMessage[]): ImportedActivity[] {
  const byConversation = Map.groupBy(rows, ({ conversation_id }) => conversation_id);
  return [...byConversation].map(([id, own]) => {
    const inOrder = own.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const lastCustomer = inOrder.findLast(({ direction }) => direction === 'inbound');
    const lastBusiness = inOrder.findLast(({ direction }) => direction === 'outbound');
    return {
      workspace_id: own[0]!.workspace_id,
      id,
      created_at: inOrder[0]!.created_at,
      last_message_at: inOrder.at(-1)!.created_at,
      last_customer_at: lastCustomer?.created_at ?? null,
      last_customer_message_id: lastCustomer?.id ?? null,
      last_business_message_id: lastBusiness?.id ?? null,
    };
  });
}

function oldestOf(rows: readonly NewMessage[]): Map<string, string> {
  const oldest = new Map<string, string>();
  for (const { workspace_id, id } of rows) {
    if (id < (oldest.get(workspace_id) ?? 'g')) oldest.set(workspace_id, id);
  }
  return oldest;
}
