import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Answer } from '../../http/idempotency/stored-answers.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { findConversation } from '../list/list-conversations.ts';
import { presentConversation } from '../present.ts';
import { type LockedConversation, lockConversation } from '../queries.ts';

interface ChangeRequest {
  caller: Caller;
  params: { conversation_id: string };
}

/**
 * The frame of every operation that changes one conversation: it is locked, so that changes to it come one after the
 * other, then changed, and answered as it is afterwards. An id that names none of this workspace is refused first.
 */
export async function changeConversation(
  tx: Transaction,
  { caller: { workspace_id }, params }: ChangeRequest,
  change: (conversation: LockedConversation) => Promise<void>,
): Promise<Answer> {
  const conversation = await getLocked(tx, workspace_id, params.conversation_id);
  await change(conversation);
  const row = await findConversation(tx, workspace_id, conversation.id);
  return { status: 200, body: presentConversation(row!) };
}

/** By its public id. */
export async function getLocked(tx: Transaction, workspace_id: string, public_id: string): Promise<LockedConversation> {
  const id = parseId('conversation', public_id);
  const conversation = id && (await lockConversation(tx, workspace_id, id));
  if (!conversation) throw new Refusal('not_found');
  return conversation;
}
