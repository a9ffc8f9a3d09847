import { type LockedConversation, lockConversation, updateConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import { sendMessages } from '../../messages/accept/send-messages.ts';
import { addNote } from '../../messages/notes/add-note.ts';
import type { Clock } from '../../process/clock.ts';
import { insertAnswer, type NewAnswer } from '../queries.ts';
import type { Decision } from '../rules.ts';
import { type AnswerTask, isAnswered } from './find-task.ts';

const selectYounger = statement(`
  select from jobs where kind = $1 and queue_key = $2 and id > $3 limit 1`);

/** Whether the customer has written more since: who answers that answers all of it. */
export async function hasYounger(tx: Pick<Transaction, 'query'>, { kind, queue_key, id }: Job): Promise<boolean> {
  return (await selectYounger(tx, [kind, queue_key, id])).length > 0;
}

/**
 * Does what an agent decided, in one commit with the end of its job: so it is done once, however often it was decided. The
 * conversation is held: whoever took it over meanwhile did so before, and then nothing is sent; whoever writes more meanwhile
 * waits, or is seen here, and then this answer makes way for the one to all of it.
 */
export async function recordAnswer(
  tx: Transaction,
  clock: Clock,
  job: Job,
  task: AnswerTask,
  decision: Decision,
): Promise<void> {
  const { workspace_id, conversation_id, ai_agent_id } = task;
  const conversation = await lockConversation(tx, workspace_id, conversation_id);
  const isSuperseded = await hasYounger(tx, job);
  if ((await finish(tx, [job])) === 0 || !conversation || isSuperseded) return;
  const record = (outcome: NewAnswer['outcome'], reason: string | null, message_id: string | null = null) => {
    const answer = { workspace_id, conversation_id, ai_agent_id, outcome, reason, message_id };
    return insertAnswer(tx, { ...answer, id: newId(clock), created_at: clock.now() });
  };
  if (controls(conversation, ai_agent_id) && (await isAnswered(tx, task))) {
    return record('refused', 'a person had answered');
  }
  if (decision.type === 'hand_over') {
    if (!controls(conversation, ai_agent_id)) return record('refused', 'somebody else had taken over');
    await handToPerson(tx, clock, conversation, task, decision.reason);
    return record('handed_over', decision.reason);
  }
  const result = await send(tx, clock, task, decision.text);
  if (!(result instanceof Refusal)) return record('sent', null, result.id);
  await record('refused', result.code);
  // Nobody can be answered by a text any more: a person may know a template.
  if (result.code === 'window_closed') {
    await handToPerson(tx, clock, conversation, task, 'the 24-hour window had closed');
  }
}

async function send(tx: Transaction, clock: Clock, task: AnswerTask, body: string) {
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

function controls(conversation: LockedConversation, ai_agent_id: string): boolean {
  const { controller, workflow_run_id } = conversation;
  return controller === 'bot' && !workflow_run_id && conversation.ai_agent_id === ai_agent_id;
}

async function handToPerson(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { name }: AnswerTask,
  reason: string,
): Promise<void> {
  await updateConversation(tx, conversation, { controller: 'human', ai_agent_id: null });
  // It mentions nobody, whatever the agent is called.
  const body = `${name} (AI) handed the conversation over: ${reason}.`.replaceAll('@', '').replace(/\.+$/, '.');
  await addNote(tx, clock, conversation, { body, user_id: undefined });
}
