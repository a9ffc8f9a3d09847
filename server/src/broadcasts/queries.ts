import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { takesPlace } from './tier.ts';

/** The contract's statuses. `sent`: no message is left to send. */
export type BroadcastStatus = 'scheduled' | 'sending' | 'sent' | 'cancelled';

export interface NewBroadcast {
  workspace_id: string;
  id: string;
  name: string;
  channel_id: string;
  template_name: string;
  template_language: string;
  tags: string[] | null;
  stage_id: string | null;
  send_at: Date;
  created_by: string | null;
  created_at: Date;
}

export async function insertBroadcast(tx: Transaction, broadcast: NewBroadcast): Promise<void> {
  await run(tx, build.insertInto('broadcasts').values({ ...broadcast, status: 'scheduled' }));
}

export interface NewRecipient {
  identifier: string;
  params: string[];
}

const insertRows = statement(`
  insert into broadcast_recipients (workspace_id, broadcast_id, position, identifier, params)
  select $1, $2, n.position, n.identifier, array(select json_array_elements_text(n.params))
  from json_to_recordset($3) as n (position integer, identifier text, params json)`);

/** In the order given; each number must be unique. */
export async function insertRecipients(
  tx: Transaction,
  { workspace_id, id }: Pick<NewBroadcast, 'workspace_id' | 'id'>,
  recipients: readonly NewRecipient[],
): Promise<void> {
  const rows = recipients.map((recipient, position) => ({ ...recipient, position }));
  await insertRows(tx, [workspace_id, id, JSON.stringify(rows)]);
}

// Takes a contact's oldest number, as a message to the contact does. The lock on the contact orders this with erasures and
// merges. A number has a recipient already where a merge moved it into a later batch.
const insertBatch = (place: string) =>
  statement<{ last: string; count: number }>(`
  with portion as materialized (
    select id from contacts where workspace_id = $1 ${place} order by id limit $3
  ), held as materialized (
    select c.id, ch.type as channel_type
    from broadcasts b
    join channels ch on ch.workspace_id = b.workspace_id and ch.id = b.channel_id
    cross join portion
    join contacts c on c.workspace_id = b.workspace_id and c.id = portion.id
      and (c.tags && b.tags or c.stage_id = b.stage_id)
    where b.workspace_id = $1 and b.id = $2
    order by c.id for key share of c
  ), recipients as (
    insert into broadcast_recipients (workspace_id, broadcast_id, position, identifier)
    select $1, $2, taken.last + row_number() over (order by held.id), i.identifier
    from held
    cross join lateral (
      select o.identifier from contact_identities o
      where o.workspace_id = $1 and o.contact_id = held.id and o.channel_type = held.channel_type
      order by o.created_at, o.identifier limit 1
    ) i
    cross join (
      select coalesce(max(position), 0) as last from broadcast_recipients where workspace_id = $1 and broadcast_id = $2
    ) taken
    on conflict (workspace_id, broadcast_id, identifier) do nothing
  )
  select max(id::text) as last, count(*)::int as count from portion`);
const insertFirst = insertBatch('');
const insertNext = insertBatch('and id > $4');

/**
 * Adds recipients from the next `size` contacts after `after`: those that now match the tags or the stage. Answers the last
 * contact scanned; undefined after the end.
 */
export async function snapshotBatch(
  tx: Transaction,
  { workspace_id, id }: Pick<NewBroadcast, 'workspace_id' | 'id'>,
  after: string | undefined,
  size: number,
): Promise<string | undefined> {
  const portions = await (after
    ? insertNext(tx, [workspace_id, id, size, after])
    : insertFirst(tx, [workspace_id, id, size]));
  const [portion] = portions;
  return portion!.count < size ? undefined : portion!.last;
}

export interface LockedBroadcast {
  status: BroadcastStatus;
  /** Whether the audience is a list of recipients. */
  has_list: boolean;
  channel_id: string;
  template_name: string;
  template_language: string;
  paused_at: Date | null;
  /** Of the job that found it paused. */
  held_payload: string | null;
}

const selectForUpdate = statement<LockedBroadcast>(`
  select status, channel_id, template_name, template_language, tags is null and stage_id is null as has_list, paused_at,
    held_payload
  from broadcasts
  where workspace_id = $1 and id = $2 for no key update`);

/** Locks a broadcast, which serialises its start, batches, pauses and cancellation. */
export async function lockBroadcast(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<LockedBroadcast | undefined> {
  return (await selectForUpdate(tx, [workspace_id, id]))[0];
}

const updateStatus = statement(`update broadcasts set status = $3 where workspace_id = $1 and id = $2`);

export async function setStatus(
  tx: Transaction,
  workspace_id: string,
  id: string,
  status: BroadcastStatus,
): Promise<void> {
  await updateStatus(tx, [workspace_id, id, status]);
}

const updatePause = statement(`
  update broadcasts set paused_at = $3, paused_by = $4 where workspace_id = $1 and id = $2`);

/** Pauses a locked broadcast. */
export async function setPaused(
  tx: Transaction,
  { workspace_id, id }: Pick<NewBroadcast, 'workspace_id' | 'id'>,
  { at, by }: { at: Date; by: string },
): Promise<void> {
  await updatePause(tx, [workspace_id, id, at, by]);
}

const updateHeld = statement(`update broadcasts set held_payload = $3 where workspace_id = $1 and id = $2`);

/** Keeps the payload of the job that found a locked broadcast paused. */
export async function setHeld(tx: Transaction, workspace_id: string, id: string, payload: string): Promise<void> {
  await updateHeld(tx, [workspace_id, id, payload]);
}

const deletePause = statement(`
  update broadcasts set paused_at = null, paused_by = null, held_payload = null where workspace_id = $1 and id = $2`);

/** Ends the pause of a locked broadcast. */
export async function clearPause(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  await deletePause(tx, [workspace_id, id]);
}

export interface WaitingRecipient {
  position: number;
  identifier: string;
  params: string[];
  /** Whether a message needs a place of the tier: no open window, and no message of the account within 24 hours. */
  takes_place: boolean;
}

const selectWaiting = statement<WaitingRecipient>(`
  select r.position, r.identifier, r.params, not coalesce(cv.window_expires_at > $5, false)
      and not coalesce((select true
        from conversations o
        join channels n on n.workspace_id = o.workspace_id and n.id = o.channel_id and n.waba_id = ch.waba_id
        join messages m on m.workspace_id = o.workspace_id and m.channel_id = o.channel_id and m.created_at > $6
          and m.conversation_id = o.id
        where o.workspace_id = r.workspace_id and o.contact_id = i.contact_id and ${takesPlace} limit 1), false)
        as takes_place
  from (
    select * from broadcast_recipients
    where workspace_id = $1 and broadcast_id = $2 and status = 'waiting' and position > $4
    order by position limit $7
  ) r
    left join channels ch on ch.workspace_id = r.workspace_id and ch.id = $3
    left join contact_identities i on i.workspace_id = r.workspace_id and i.channel_type = ch.type
      and i.identifier = r.identifier
    left join lateral (
      select o.id, o.window_expires_at from conversations o
      where o.workspace_id = r.workspace_id and o.contact_id = i.contact_id and o.channel_id = $3
      order by o.last_message_at desc, o.id desc limit 1
    ) cv on true
  order by r.position`);

/** The next recipients after a position, in order. */
export function listWaiting(
  tx: Transaction,
  ref: { workspace_id: string; broadcast_id: string; channel_id: string },
  of: { behind: number; now: Date; since: Date; count: number },
): Promise<WaitingRecipient[]> {
  const { workspace_id, broadcast_id, channel_id } = ref;
  return selectWaiting(tx, [workspace_id, broadcast_id, channel_id, of.behind, of.now, of.since, of.count]);
}

export async function hasWaiting(tx: Transaction, workspace_id: string, broadcast_id: string): Promise<boolean> {
  const query = build
    .selectFrom('broadcast_recipients')
    .select('position')
    .where('workspace_id', '=', workspace_id)
    .where('broadcast_id', '=', broadcast_id)
    .where('status', '=', 'waiting')
    .limit(1);
  return (await runFirst(tx, query)) !== undefined;
}

/** Whether a message waits for dispatch, or for its outcome. */
export async function hasQueued(tx: Transaction, workspace_id: string, broadcast_id: string): Promise<boolean> {
  const query = build
    .selectFrom('messages')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('broadcast_id', '=', broadcast_id)
    .where('status', '=', 'queued')
    .limit(1);
  return (await runFirst(tx, query)) !== undefined;
}

export interface RecipientResult {
  position: number;
  status: 'accepted' | 'refused';
  error: string | null;
  message_id: string | null;
  conversation_id: string | null;
}

const updateRecipients = statement<{ position: number }>(`
  update broadcast_recipients r set status = n.status, error = n.error, message_id = n.message_id,
    conversation_id = n.conversation_id
  from json_to_recordset($3) as n (position integer, status text, error text, message_id uuid, conversation_id uuid)
  where r.workspace_id = $1 and r.broadcast_id = $2 and r.position = n.position
  returning r.position`);

/** Answers how many of them still exist. */
export async function setRecipients(
  tx: Transaction,
  workspace_id: string,
  broadcast_id: string,
  results: readonly RecipientResult[],
): Promise<number> {
  return (await updateRecipients(tx, [workspace_id, broadcast_id, JSON.stringify(results)])).length;
}

const updateReplied = statement(`
  update broadcast_recipients r set replied_at = $2
  from (select distinct * from json_to_recordset($1) as n (workspace_id uuid, conversation_id uuid)) wrote
  where r.workspace_id = wrote.workspace_id and r.conversation_id = wrote.conversation_id and r.replied_at is null`);

/** Marks the broadcasts that reached these conversations as replied. */
export async function setReplied(
  connection: Connection,
  wrote: readonly { workspace_id: string; conversation_id: string }[],
  now: Date,
): Promise<void> {
  if (wrote.length === 0) return;
  const rows = wrote.map(({ workspace_id, conversation_id }) => ({ workspace_id, conversation_id }));
  await updateReplied(connection, [JSON.stringify(rows), now]);
}

// A customer with several numbers keeps the first in the list, so nobody gets a broadcast twice.
const deleteDoubles = statement(`
  delete from broadcast_recipients r
  where r.workspace_id = $1 and r.identifier = any ($2::text[]) and r.status <> 'accepted' and exists (
    select from broadcast_recipients o
    where o.workspace_id = $1 and o.broadcast_id = r.broadcast_id
      and (o.identifier = $3 or o.identifier = any ($2::text[]) and o.position < r.position))`);
const updateNumbers = statement(`
  update broadcast_recipients set identifier = $3
  where workspace_id = $1 and identifier = any ($2::text[]) and status <> 'accepted'`);

/** Moves waiting recipients to a customer's new number; sent messages keep the old one. */
export async function readdressRecipients(
  tx: Transaction,
  { workspace_id, former_names, identifier }: { workspace_id: string; former_names: string[]; identifier: string },
): Promise<void> {
  await deleteDoubles(tx, [workspace_id, former_names, identifier]);
  await updateNumbers(tx, [workspace_id, former_names, identifier]);
}

const deleteByNumber = statement(`
  delete from broadcast_recipients where workspace_id = $1 and identifier = any ($2::text[])`);

/** Deletes the recipients of an erased contact. */
export async function deleteRecipients(tx: Transaction, workspace_id: string, names: readonly string[]): Promise<void> {
  await deleteByNumber(tx, [workspace_id, names]);
}
