import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { answerMessage } from './jobs.ts';

export interface AnswerableMessage {
  workspace_id: string;
  conversation_id: string;
  /** The message. */
  id: string;
  kind: string;
}

// One statement, because the messages of customers come in one round trip each. A new message overtakes what an agent proposes:
// the next answer is to all of them.
const enqueue = statement<{ kind: string }>(`
  with written as materialized (
    select distinct on (workspace_id, conversation_id) *
    from json_to_recordset($1) as r (workspace_id uuid, conversation_id uuid, id uuid)
    order by workspace_id, conversation_id, id desc
  ), overtaken as (
    update proposals p set state = 'overtaken', end_reason = 'customer_wrote', ended_at = $3
    from written w
    where p.workspace_id = w.workspace_id and p.conversation_id = w.conversation_id and p.state = 'waiting'
      and p.ai_agent_id is not null
  )
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select $2, c.workspace_id, c.id,
    json_build_object('workspace_id', c.workspace_id, 'conversation_id', c.id, 'message_id', n.id)::text, $3
  from written n
  join conversations c on c.workspace_id = n.workspace_id and c.id = n.conversation_id
  where c.controller = 'bot' and c.ai_agent_id is not null and c.workflow_run_id is null
  returning kind`);

/**
 * Enqueues an answer for each conversation that an AI agent controls, in the transaction that stores the messages. A
 * reaction gets no answer.
 */
export async function enqueueAnswers(
  tx: Transaction,
  clock: Clock,
  messages: readonly AnswerableMessage[],
): Promise<void> {
  const rows = messages
    .filter(({ kind }) => kind !== 'reaction')
    .map(({ workspace_id, conversation_id, id }) => ({ workspace_id, conversation_id, id }));
  if (rows.length === 0) return;
  for (const { kind } of await enqueue(tx, [JSON.stringify(rows), answerMessage, clock.now()])) tx.announce(kind);
}

const enqueueLast = statement<{ kind: string }>(`
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select $3, m.workspace_id, m.conversation_id,
    json_build_object('workspace_id', m.workspace_id, 'conversation_id', m.conversation_id, 'message_id', m.id)::text, $4
  from (
    select workspace_id, conversation_id, id from messages
    where workspace_id = $1 and conversation_id = $2 and direction = 'inbound' and kind <> 'reaction'
    order by id desc limit 1
  ) m
  where not exists (
    select from messages o
    where o.workspace_id = $1 and o.conversation_id = $2 and o.id > m.id and o.direction = 'outbound' and o.kind <> 'note'
      and o.actor_kind is distinct from 'workflow')
  returning kind`);

/**
 * Enqueues an answer to the last message of the customer, for a conversation that a workflow hands to an agent. Enqueues
 * nothing if anyone but a workflow has written since.
 */
export async function enqueueLastUnanswered(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<void> {
  for (const { kind } of await enqueueLast(tx, [workspace_id, id, answerMessage, clock.now()])) tx.announce(kind);
}
