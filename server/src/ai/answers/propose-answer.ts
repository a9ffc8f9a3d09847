import { endAgentProposals, insertProposal } from '../../automation/proposals.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { Quotas } from '../../process/quotas.ts';
import { refuseBeyond } from '../../workspaces/within-quota.ts';
import type { AgentAnswer } from '../rules.ts';
import type { AnswerTask } from './find-answer-task.ts';

/**
 * Keeps the answer of an agent for a person to decide, in the place of an earlier one. The conversation is locked. Answers the
 * refusal where the workspace has as many proposals as it may have.
 */
export async function proposeAnswer(
  tx: Transaction,
  { clock, quotas }: { clock: Clock; quotas: Quotas },
  task: AnswerTask,
  { text, sources }: AgentAnswer,
): Promise<Refusal | undefined> {
  const { workspace_id, conversation_id, ai_agent_id, message_id } = task;
  const conversation = { workspace_id, id: conversation_id };
  await endAgentProposals(tx, clock, conversation, { state: 'overtaken', reason: 'customer_wrote' });
  const proposal = {
    ...{ workspace_id, id: newId(clock), conversation_id, ai_agent_id, workflow_id: null, run_id: null },
    ...{ action: 'send_message' as const, content: { kind: 'text', body: text }, preview: text, media_id: null },
    ...{ sources, answers_message_id: message_id, created_at: clock.now(), due_at: null },
  };
  const holder = { workspace_id, kind: 'proposals' } as const;
  const beyond = await refuseBeyond(tx, quotas, holder, Buffer.byteLength(JSON.stringify(proposal.content)));
  if (!beyond) await insertProposal(tx, proposal);
  return beyond;
}
