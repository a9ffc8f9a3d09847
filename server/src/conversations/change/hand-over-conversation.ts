import { cancelConversationAnswers } from '../../automation/cancel-answers.ts';
import { cancelConversationRuns } from '../../automation/cancel-runs.ts';
import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { isKnown } from '../list/is-known.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/**
 * Sets who answers. An agent is named with a bot alone; beside a human it means nothing. What workflows do in the
 * conversation ends.
 */
export async function handOverConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { to, ai_agent_id }: { to: 'human' | 'bot'; ai_agent_id?: string },
): Promise<void> {
  const agent = to === 'human' || ai_agent_id === undefined ? null : (parseId('ai_agent', ai_agent_id) ?? '');
  if (agent !== null && !(await isKnown(tx, 'ai_agents', conversation.workspace_id, agent))) {
    throw invalid({ detail: 'names no AI agent', pointer: '/ai_agent_id' });
  }
  const { controller, ai_agent_id: former, workflow_run_id } = conversation;
  const stays = controller === to && former === agent && workflow_run_id === null;
  await updateConversation(tx, conversation, { controller: to, ai_agent_id: agent, workflow_run_id: null });
  // Whoever hands it over may have answered: an agent answers what is written from then on.
  if (!stays) await cancelConversationAnswers(tx, conversation);
  const reason =
    to === 'human' ? 'A person took over the conversation.' : 'The conversation was handed to another bot.';
  await cancelConversationRuns(tx, clock, conversation, reason);
}
