import { type TriggerEvent, triggerWorkflows } from '../automation/trigger-workflows.ts';
import { newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';

export interface ConversationKey {
  workspace_id: string;
  contact_id: string;
  channel_id: string;
  channel_type: string;
}

export interface NewConversation extends ConversationKey {
  id: string;
  /** Where a message of the business begins the conversation. */
  last_business_message_id?: string | undefined;
  assignee_id?: string | undefined;
}

// A trigger locks the contact before its conversation is in the index, so an erasure or a merge waits for this insert.
const insertConversations = statement(`
  insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at,
    last_business_message_id, assignee_id, created_at)
  select workspace_id, id, contact_id, channel_id, channel_type, $2, last_business_message_id, assignee_id, $2
  from json_to_recordset($1) as n (workspace_id uuid, id uuid, contact_id uuid, channel_id uuid, channel_type text,
    last_business_message_id uuid, assignee_id uuid)
  order by workspace_id, contact_id, channel_id`);

/**
 * Sends the insert of a conversation for each distinct key, and returns them by index. The contacts must have none on the
 * channel: where a concurrent transaction inserts one, the unique index fails this transaction, which is run again and
 * finds it. Rows are inserted in one order, so two batches cannot deadlock.
 */
export function createConversations(
  tx: Transaction,
  clock: Clock,
  keys: readonly (ConversationKey & Pick<NewConversation, 'last_business_message_id' | 'assignee_id'>)[],
  begun_at: Date,
): NewConversation[] {
  const created = new Map<string, NewConversation>();
  const all = keys.map(({ last_business_message_id, assignee_id, ...named }) => {
    const { workspace_id, contact_id, channel_id, channel_type } = named;
    const key = `${contact_id} ${channel_id}`;
    const id = created.get(key)?.id ?? newId(clock);
    const row = { workspace_id, id, contact_id, channel_id, channel_type, last_business_message_id, assignee_id };
    created.set(key, row);
    return row;
  });
  if (created.size > 0) tx.pipeline(insertConversations(tx, [JSON.stringify([...created.values()]), begun_at]));
  return all;
}

const findConversations = statement<{ n: number; id: string }>(`
  select w.n, c.id
  from json_to_recordset($1) as w (n integer, workspace_id uuid, contact_id uuid, channel_id uuid)
  cross join lateral (
    select c.id from conversations c
    where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id and c.channel_id = w.channel_id
    order by c.last_message_at desc, c.id desc limit 1
  ) c`);

/** The id of the conversation of each contact on its channel, by index. */
export async function findLatestConversations(
  tx: Transaction,
  keys: readonly Pick<ConversationKey, 'workspace_id' | 'contact_id' | 'channel_id'>[],
): Promise<Map<number, string>> {
  const rows = await findConversations(tx, [JSON.stringify(keys.map((key, n) => ({ ...key, n })))]);
  return new Map(rows.map(({ n, id }) => [n, id]));
}

/**
 * The id of the conversation of each contact on each channel, created where there is none. After a merge there may be
 * several; the one with the latest activity counts.
 */
export async function findOrCreateConversations(
  tx: Transaction,
  clock: Clock,
  keys: readonly (ConversationKey & { is_new?: boolean | undefined })[],
  now: Date,
): Promise<string[]> {
  const wanted = keys.flatMap(({ workspace_id, contact_id, channel_id, is_new }, n) =>
    is_new ? [] : [{ n, workspace_id, contact_id, channel_id }],
  );
  const rows = wanted.length > 0 ? await findConversations(tx, [JSON.stringify(wanted)]) : [];
  const ids = new Map(rows.map(({ n, id }) => [n, id]));
  const missing = [...keys.entries()].filter(([n]) => !ids.has(n));
  const missingKeys = missing.map(([, key]) => key);
  const created = createConversations(tx, clock, missingKeys, now);
  missing.forEach(([n], index) => void ids.set(n, created[index]!.id));
  tx.pipeline(triggerWorkflows(tx, clock, createdConversationEvents(created)));
  return keys.map((_, n) => ids.get(n)!);
}

/** The trigger events of new conversations, one for each. */
export function createdConversationEvents(created: readonly NewConversation[]): TriggerEvent[] {
  const byId = new Map(created.map((conversation) => [conversation.id, conversation]));
  return [...byId.values()].map(({ workspace_id, id, contact_id }) => {
    return { trigger: 'conversation_created', workspace_id, conversation_id: id, contact_id };
  });
}
