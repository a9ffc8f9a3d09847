import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { recordChanges, system } from './change/record-changes.ts';

const selectForUpdate = statement<{ id: string }>(`
  select id from conversations where workspace_id = $1 and contact_id = any ($2::uuid[]) order by id for update`);

/** Locks the conversations of these contacts, after the messages that are being stored in them. Returns their ids. */
export async function lockContactConversations(tx: Transaction, workspace_id: string, contact_ids: string[]) {
  const rows = await selectForUpdate(tx, [workspace_id, contact_ids]);
  return rows.map((row) => row.id);
}

const setIdentifier = statement(`
  update conversations set identifier = $5
  where workspace_id = $1 and contact_id = $2 and channel_type = $3 and identifier = $4`);

type ChangedIdentity = Record<
  'workspace_id' | 'contact_id' | 'channel_type' | 'former_identifier' | 'identifier',
  string
>;

/** Renames the identity in the conversations of the contact, and locks them all. */
export async function followIdentity(tx: Transaction, changed: ChangedIdentity): Promise<string[]> {
  const { workspace_id, contact_id, channel_type, former_identifier, identifier } = changed;
  const ids = await lockContactConversations(tx, workspace_id, [contact_id]);
  await setIdentifier(tx, [workspace_id, contact_id, channel_type, former_identifier, identifier]);
  return ids;
}

const deleteOf = statement(`delete from conversations where workspace_id = $1 and contact_id = $2`);

/** The conversations must have no messages. */
export async function deleteContactConversations(
  tx: Transaction,
  workspace_id: string,
  contact_id: string,
): Promise<void> {
  await deleteOf(tx, [workspace_id, contact_id]);
}

// Without a contact and of no listed status, it is unreachable. It stays while messages refer to it.
const detach = statement(`
  update conversations set contact_id = null, identifier = null, status = 'erased', is_current = false, controller = 'human',
    workflow_run_id = null, ai_agent_id = null
  where workspace_id = $1 and id = any ($2::uuid[])`);

const deleteChanges = statement(`
  delete from conversation_changes where workspace_id = $1 and conversation_id = any ($2::uuid[])`);

/** Hides conversations whose history is too long to be deleted in one transaction. */
export async function detachConversations(
  tx: Transaction,
  workspace_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await detach(tx, [workspace_id, ids]);
  await deleteChanges(tx, [workspace_id, ids]);
}

const selectErased = statement(`
  select from conversations where workspace_id = $1 and id = $2 and contact_id is null for update`);

/** Locks a detached conversation. Returns whether it still exists. */
export async function lockErasedConversation(tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  return (await selectErased(tx, [workspace_id, id])).length > 0;
}

const deleteOne = statement(`delete from conversations where workspace_id = $1 and id = $2 and contact_id is null`);

/** Deletes a detached conversation, which must have no messages. */
export async function deleteErasedConversation(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  await deleteOne(tx, [workspace_id, id]);
}

const deleteAny = statement('delete from conversations where workspace_id = $1 and id = $2');

/** Deletes a locked conversation, which must have no messages and no runs. */
export async function deleteConversation(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  await deleteAny(tx, [workspace_id, id]);
}

const release = statement<{ id: string }>(`
  update conversations set controller = 'human', workflow_run_id = null
  where workspace_id = $1 and contact_id = $2 and workflow_run_id is not null returning id`);

/** Ends the control of workflow runs over the conversations of a contact. */
export async function releaseContactConversations(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  contact_id: string,
): Promise<void> {
  const released = await release(tx, [workspace_id, contact_id]);
  const lines = released.map(({ id }) => ({ conversation_id: id, kind: 'handed_over', controller: 'human' }));
  await recordChanges(tx, clock, workspace_id, system, lines);
}

const passOn = statement(`
  update conversations c set controller = case when c.id = p.to_id then 'bot' else 'human' end,
    workflow_run_id = case when c.id = p.to_id then p.run_id end
  from json_to_recordset($2) as p (run_id uuid, from_id uuid, to_id uuid)
  where c.workspace_id = $1 and c.id in (p.from_id, p.to_id)`);

/** A workflow run leaves one conversation of its contact and controls another. */
export interface PassedControl {
  run_id: string;
  from_id: string;
  to_id: string;
}

export async function passControl(tx: Transaction, workspace_id: string, passed: PassedControl[]): Promise<void> {
  if (passed.length > 0) await passOn(tx, [workspace_id, JSON.stringify(passed)]);
}

// A conversation without an identifier means the oldest identity of its contact, and the survivor may have an older one.
const settleIdentity = statement(`
  update conversations c set identifier = (
    select i.identifier from contact_identities i
    where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
    order by i.created_at, i.identifier limit 1)
  where c.workspace_id = $1 and c.contact_id = any (array[$2, $3]::uuid[]) and c.identifier is null`);
// Of several on one channel, the one with the latest activity stays current. The others lose the mark first, because the
// unique index allows one.
const unmarkCurrent = statement(`
  update conversations c set is_current = false
  where c.workspace_id = $1 and c.contact_id = any (array[$2, $3]::uuid[]) and c.is_current and exists (
    select from conversations o
    where o.workspace_id = $1 and o.contact_id = any (array[$2, $3]::uuid[]) and o.is_current
      and o.channel_id = c.channel_id and (o.last_message_at, o.id) > (c.last_message_at, c.id))`);
const move = statement(`update conversations set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

/** Moves the conversations of the source to the survivor, before the identities move. Messages need no change. */
export async function moveConversations(
  tx: Transaction,
  { workspace_id, survivor_id, source_id }: { workspace_id: string; survivor_id: string; source_id: string },
): Promise<void> {
  for (const step of [settleIdentity, unmarkCurrent, move]) await step(tx, [workspace_id, survivor_id, source_id]);
}
