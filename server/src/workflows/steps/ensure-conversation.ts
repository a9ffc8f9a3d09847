import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { LockedRun } from '../run/lock-run.ts';

const selectLatest = statement<{ id: string }>(`
  select id from conversations where workspace_id = $1 and contact_id = $2 order by last_message_at desc, id desc limit 1`);

/** The conversation of the contact with the latest activity; undefined without one. */
export async function findLatestConversation(
  tx: Transaction,
  workspace_id: string,
  contact_id: string,
): Promise<string | undefined> {
  return (await selectLatest(tx, [workspace_id, contact_id]))[0]?.id;
}

// A run names no channel: take the first channel of a type for which the contact has an identity.
const selectChannel = statement<{ id: string; type: string }>(`
  select ch.id, ch.type from channels ch
  where ch.workspace_id = $1 and ch.disconnected_at is null and exists (select from contact_identities i
    where i.workspace_id = ch.workspace_id and i.contact_id = $2 and i.channel_type = ch.type)
  order by ch.id limit 1`);

/** The locked conversation of the run, created if the contact has none; undefined if no channel reaches the contact. */
export async function ensureConversation(locked: LockedRun): Promise<LockedConversation | undefined> {
  if (locked.conversation) return locked.conversation;
  const { tx, clock, run } = locked;
  const { workspace_id, contact_id } = run;
  const [channel] = await selectChannel(tx, [workspace_id, contact_id]);
  if (!channel) return undefined;
  const key = { workspace_id, contact_id, channel_id: channel.id, channel_type: channel.type };
  const [id] = await findOrCreateConversations(tx, clock, [key], clock.now());
  locked.conversation = await lockConversation(tx, workspace_id, id!);
  run.conversation_id = id!;
  return locked.conversation;
}
