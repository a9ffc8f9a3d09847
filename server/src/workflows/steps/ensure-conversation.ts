import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { MovingRun } from '../run/moving-run.ts';

const selectLatest = statement<{ id: string }>(`
  select id from conversations where workspace_id = $1 and contact_id = $2 order by last_message_at desc, id desc limit 1`);

/** The conversation of the contact with the latest activity; undefined where there is none. */
export async function findLatestConversation(
  tx: Transaction,
  workspace_id: string,
  contact_id: string,
): Promise<string | undefined> {
  return (await selectLatest(tx, [workspace_id, contact_id]))[0]?.id;
}

// A run names no channel: of several it is the first one of a type on which the contact is known.
const selectChannel = statement<{ id: string; type: string }>(`
  select ch.id, ch.type from channels ch
  where ch.workspace_id = $1 and exists (select from contact_identities i
    where i.workspace_id = ch.workspace_id and i.contact_id = $2 and i.channel_type = ch.type)
  order by ch.id limit 1`);

/** The conversation of the run, which begins here where the contact has none; undefined where they cannot be reached. */
export async function ensureConversation(moving: MovingRun): Promise<LockedConversation | undefined> {
  if (moving.conversation) return moving.conversation;
  const { tx, clock, run } = moving;
  const { workspace_id, contact_id } = run;
  const [channel] = await selectChannel(tx, [workspace_id, contact_id]);
  if (!channel) return undefined;
  const key = { workspace_id, contact_id, channel_id: channel.id, channel_type: channel.type };
  const [id] = await findOrCreateConversations(tx, clock, [key], clock.now());
  moving.conversation = await lockConversation(tx, workspace_id, id!);
  run.conversation_id = id!;
  return moving.conversation;
}
