import { triggerWorkflows } from '../automation/trigger-workflows.ts';
import { newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import { Outdated, type Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';

export interface ConversationKey {
  workspace_id: string;
  contact_id: string;
  channel_id: string;
  channel_type: string;
}

// The contact is held before its conversation is in the index: who erases or merges it waits for us, and not half-way.
const createConversations = statement<{ workspace_id: string; id: string; contact_id: string }>(`
  with new as (
    select distinct on (workspace_id, contact_id, channel_id) * from json_to_recordset($1) as n
      (workspace_id uuid, id uuid, contact_id uuid, channel_id uuid, channel_type text)
    order by workspace_id, contact_id, channel_id
  ), held as materialized (
    select c.workspace_id, c.id from contacts c
    join (select distinct workspace_id, contact_id from new) n on n.workspace_id = c.workspace_id and n.contact_id = c.id
    order by c.workspace_id, c.id for key share of c
  )
  insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
  select new.workspace_id, new.id, contact_id, channel_id, channel_type, $2, $2
  from new join held on held.workspace_id = new.workspace_id and held.id = new.contact_id
  order by new.workspace_id, contact_id, channel_id
  on conflict (workspace_id, contact_id, channel_id) where is_current do nothing
  returning workspace_id, id, contact_id`);

const findConversations = statement<{ n: number; id: string }>(`
  select w.n, c.id
  from json_to_recordset($1) as w (n integer, workspace_id uuid, contact_id uuid, channel_id uuid)
  cross join lateral (
    select c.id from conversations c
    where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id and c.channel_id = w.channel_id
    order by c.last_message_at desc, c.id desc limit 1
  ) c`);

/**
 * The id of the conversation of each contact on each channel, created where there is none: one under any race, by the
 * unique index; after a merge there may be more, and the one with the latest activity is meant. Rows are inserted in
 * one order, so that two batches cannot wait for each other.
 */
export async function findOrCreateConversations(
  tx: Transaction,
  clock: Clock,
  keys: readonly ConversationKey[],
  /** The moment of the message that begins a conversation. */
  now: Date,
): Promise<string[]> {
  const find = async () => {
    const rows = await findConversations(tx, [JSON.stringify(keys.map((key, n) => ({ n, ...columnsOf(key) })))]);
    return new Map(rows.map(({ n, id }) => [n, id]));
  };
  let found = await find();
  const missing = keys.filter((_, index) => !found.has(index));
  if (missing.length > 0) {
    const rows = missing.map((key) => ({ id: newId(clock), ...columnsOf(key) }));
    const created = await createConversations(tx, [JSON.stringify(rows), now]);
    await triggerWorkflows(tx, clock, created.map(toHappening));
    found = await find();
  }
  if (found.size < keys.length) throw new Outdated('a contact was erased or merged into another');
  return keys.map((_, index) => found.get(index)!);
}

function toHappening({ workspace_id, id, contact_id }: { workspace_id: string; id: string; contact_id: string }) {
  return { trigger: 'conversation_created' as const, workspace_id, conversation_id: id, contact_id };
}

/** Callers hand over what they have; only this goes to the database. */
function columnsOf({ workspace_id, contact_id, channel_id, channel_type }: ConversationKey): ConversationKey {
  return { workspace_id, contact_id, channel_id, channel_type };
}
