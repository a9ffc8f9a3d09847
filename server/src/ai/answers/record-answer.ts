import { type LockedConversation, lockConversation, updateConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import { sendMessages } from '../../messages/accept/send-messages.ts';
import { addNote } from '../../messages/notes/add-note.ts';
import type { Clock } from '../../process/clock.ts';
import type { Quotas } from '../../process/quotas.ts';
import { type AiAnswer, insertAiAnswer } from '../queries.ts';
import type { AgentDecision } from '../rules.ts';
import { type AnswerTask, isAnsweredByPerson } from './find-answer-task.ts';
import { proposeAnswer } from './propose-answer.ts';

const selectNewer = statement(`
  select from jobs where kind = $1 and queue_key = $2 and id > $3 limit 1`);

/** Whether a newer message of the customer has a job: that job answers all of them. */
export async function hasNewerJob(tx: Connection, { kind, queue_key, id }: Job): Promise<boolean> {
  return (await selectNewer(tx, [kind, queue_key, id])).length > 0;
}

/**
 * Applies the decision of an agent in one commit with the end of its job, so it takes effect once. The lock of the
 * conversation orders it against others: after a takeover nothing is sent, and a newer message supersedes this answer.
 */
export async function recordAnswer(
  tx: Transaction,
  context: { clock: Clock; quotas: Quotas },
  job: Job,
  task: AnswerTask,
  decision: AgentDecision,
): Promise<void> {
  const { clock } = context;
  const { workspace_id, conversation_id, ai_agent_id } = task;
  const conversation = await lockConversation(tx, workspace_id, conversation_id);
  const isSuperseded = await hasNewerJob(tx, job);
  if ((await finish(tx, [job])) === 0 || !conversation || isSuperseded) return;
  const record = (outcome: AiAnswer['outcome'], reason: string | null, message_id: string | null = null) => {
    const answer = { workspace_id, conversation_id, ai_agent_id, outcome, reason, message_id };
    return insertAiAnswer(tx, { ...answer, id: newId(clock), created_at: clock.now() });
  };
  if (isControlledBy(conversation, ai_agent_id) && (await isAnsweredByPerson(tx, task))) {
    return record('refused', 'a person had answered');
  }
  if (decision.type === 'hand_over') {
    if (!isControlledBy(conversation, ai_agent_id)) return record('refused', 'somebody else had taken over');
    await handOverToPerson(tx, clock, conversation, task, decision.reason);
    return record('handed_over', decision.reason);
  }
  if (task.proposes && isControlledBy(conversation, ai_agent_id)) {
    if (!(await proposeAnswer(tx, context, task, decision))) return record('proposed', null);
    const reason = 'too many proposals wait for a decision';
    await handOverToPerson(tx, clock, conversation, task, reason);
    return record('handed_over', reason);
  }
  const result = await sendAnswer(tx, clock, task, decision.text);
  if (!(result instanceof Refusal)) return record('sent', null, result.id);
  await record('refused', result.code);
  // The closed window refuses text. A person can send a template.
  if (result.code === 'window_closed') {
    await handOverToPerson(tx, clock, conversation, task, 'the 24-hour window had closed');
  }
}

async function sendAnswer(tx: Transaction, clock: Clock, task: AnswerTask, body: string) {
  const { workspace_id, conversation_id, ai_agent_id: id } = task;
  const [result] = await sendMessages(tx, clock, [
    {
      names: { workspace_id, conversation_id },
      content: { kind: 'text', body },
      reopens: false,
      actor: { kind: 'ai_agent', id },
      bot: { kind: 'ai_agent', id, needs_control: true },
    },
  ]);
  return result!;
}

function isControlledBy(conversation: LockedConversation, ai_agent_id: string): boolean {
  const { controller, workflow_run_id } = conversation;
  return controller === 'bot' && !workflow_run_id && conversation.ai_agent_id === ai_agent_id;
}

async function handOverToPerson(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { name, ai_agent_id }: AnswerTask,
  reason: string,
): Promise<void> {
  const change = { controller: 'human', ai_agent_id: null, bot_handed_over_at: clock.now() } as const;
  await updateConversation(tx, clock, conversation, change, { actor: { kind: 'ai_agent', id: ai_agent_id } });
  // Without mentions, even in the name of the agent.
  const body = `${name} (AI) handed the conversation over: ${reason}.`.replaceAll('@', '').replace(/(?<!\.)\.+$/, '.');
  await addNote(tx, clock, conversation, { body, user_id: undefined });
}

/** The outcome of an answer that a person has accepted. */
export async function recordAcceptedAnswer(
  tx: Transaction,
  clock: Clock,
  answer: Pick<AiAnswer, 'workspace_id' | 'conversation_id' | 'ai_agent_id' | 'message_id'>,
): Promise<void> {
  const sent = { outcome: 'sent', reason: null, created_at: clock.now() } as const;
  await insertAiAnswer(tx, { ...answer, ...sent, id: newId(clock) });
}
