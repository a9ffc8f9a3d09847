import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';

interface RowKey {
  workspace_id: string;
  id: string;
}

const cancelled = `update workflow_runs set status = 'cancelled', reason = $3, ended_at = $4, has_control = false,
    asked_message_id = null, due_at = null`;
// What a run proposes ends with it.
const withProposals = (cancel: string) => `
  with cancelled as (${cancel} returning id, proposal_id)
  update proposals p set state = 'expired', end_reason = 'run_ended', ended_at = $4
  from cancelled r where p.workspace_id = $1 and p.id = r.proposal_id and p.state = 'waiting'`;

const cancelInConversation = statement(
  withProposals(`
  ${cancelled} where workspace_id = $1 and conversation_id = $2 and status = 'running' and control = 'bot'`),
);

/**
 * Cancels the controlling runs of a conversation that a person took over or closed, in the transaction that holds its
 * lock. The code that advances a run locks the conversation first, so no run sends afterwards. A run with `control`
 * `human` continues.
 */
export async function cancelConversationRuns(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: RowKey,
  reason: string,
): Promise<void> {
  await cancelInConversation(tx, [workspace_id, id, reason, clock.now()]);
}

const cancelForContact = statement(
  withProposals(`
  ${cancelled} where workspace_id = $1 and contact_id = $2 and status = 'running'`),
);

/** Cancels all runs of a blocked contact, in the transaction that holds the lock and has released its conversations. */
export async function cancelContactRuns(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: RowKey,
  reason: string,
): Promise<void> {
  await cancelForContact(tx, [workspace_id, id, reason, clock.now()]);
}
