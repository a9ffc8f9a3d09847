import { cancelConversationAnswers } from '../../automation/cancel-answers.ts';
import { cancelConversationRuns } from '../../automation/cancel-runs.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findByPublicId } from '../find-by-public-id.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

/**
 * Gives control to people or to a bot, and ends the workflow runs of the conversation. `ai_agent_id` counts for a bot
 * alone.
 */
export async function handOverConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { to, ai_agent_id }: { to: 'human' | 'bot'; ai_agent_id?: string },
  actor: Actor,
): Promise<void> {
  const { workspace_id } = conversation;
  const named = to === 'human' ? undefined : ai_agent_id;
  const agent = named === undefined ? null : await findByPublicId(tx, 'ai_agent', workspace_id, named);
  if (agent === undefined) throw invalid(unknownReference('names no AI agent', '/ai_agent_id'));
  const { controller, ai_agent_id: former, workflow_run_id } = conversation;
  const stays = controller === to && former === agent && workflow_run_id === null;
  const change = { controller: to, ai_agent_id: agent, workflow_run_id: null };
  await updateConversation(tx, clock, conversation, change, { actor });
  // A person may have answered before this, so the agent answers later messages alone.
  if (!stays) await cancelConversationAnswers(tx, clock, conversation);
  const reason =
    to === 'human' ? 'A person took over the conversation.' : 'The conversation was handed to another bot.';
  await cancelConversationRuns(tx, clock, conversation, reason);
}
