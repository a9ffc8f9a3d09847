import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';

interface Named {
  workspace_id: string;
  id: string;
}

const cancelled = `update workflow_runs set status = 'cancelled', reason = $3, ended_at = $4, has_control = false,
    asked_message_id = null, due_at = null`;

const cancelInConversation = statement(`
  ${cancelled} where workspace_id = $1 and conversation_id = $2 and status = 'running' and control = 'bot'`);

/**
 * Ends what workflows do in a conversation, because a person took it over or closed it: in the transaction that holds the
 * conversation and takes it from them. Whoever moves a run holds its conversation first, so none of them says anything
 * behind this. A run that leaves control to people goes on.
 */
export async function cancelRunsIn(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: Named,
  reason: string,
): Promise<void> {
  await cancelInConversation(tx, [workspace_id, id, reason, clock.now()]);
}

const cancelForContact = statement(`
  ${cancelled} where workspace_id = $1 and contact_id = $2 and status = 'running'`);

/** Ends the runs for a contact, in the transaction that holds the contact and has released its conversations from them. */
export async function cancelRunsFor(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: Named,
  reason: string,
): Promise<void> {
  await cancelForContact(tx, [workspace_id, id, reason, clock.now()]);
}
