import { type Before, beforeHeader } from '@majlis/console-api/before';
import { publicId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Answer } from '../../http/idempotency/stored-answers.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { requireId } from '../../http/require-id.ts';
import { findConversation } from '../list/list-conversations.ts';
import { presentConversation } from '../present.ts';
import { type LockedConversation, lockConversation } from '../queries.ts';
import { type Principal, refuseHidden } from '../refuse-hidden.ts';

/**
 * The frame of every operation that changes one conversation: locks it, changes it, and answers with the new state. A person is
 * told what stood before, for the undo: their page may not have heard of a colleague's change.
 */
export async function changeConversation(
  tx: Transaction,
  { caller, params }: { caller: Caller; params: { conversation_id: string } },
  change: (conversation: LockedConversation) => Promise<void>,
): Promise<Answer> {
  const conversation = await requireLockedConversation(tx, caller, params.conversation_id);
  const headers = caller.is_person ? { [beforeHeader]: JSON.stringify(presentBefore(conversation)) } : undefined;
  await change(conversation);
  const row = await findConversation(tx, caller.workspace_id, conversation.id);
  return { status: 200, body: presentConversation(row!), headers, about: { conversation_id: conversation.id } };
}

function presentBefore({ status, assignee_id, team_id, stage_id, snoozed_until }: LockedConversation): Before {
  return {
    status,
    assignee_id: assignee_id && publicId('user', assignee_id),
    team_id: team_id && publicId('team', team_id),
    stage_id: stage_id && publicId('stage', stage_id),
    snoozed_until: snoozed_until?.toISOString() ?? null,
  };
}

/** Locks a conversation by its public id; 404 where the principal sees none. It stays visible until the transaction ends. */
export async function requireLockedConversation(tx: Transaction, principal: Principal, public_id: string) {
  const conversation = await lockConversation(tx, principal.workspace_id, requireId('conversation', public_id));
  if (!conversation) throw new Refusal('not_found');
  await refuseHidden(tx, principal, { conversation_id: conversation.id });
  return conversation;
}
