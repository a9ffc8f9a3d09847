import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { AnswerRef } from '../jobs.ts';

/** A conversation in which an agent must answer. */
export interface AnswerTask {
  workspace_id: string;
  conversation_id: string;
  /** The message of the customer. */
  message_id: string;
  ai_agent_id: string;
  name: string;
  status: string | null;
  languages: string[];
  instructions: string | null;
  proposes: boolean;
  /** The time of that message. */
  written_at: Date;
}

const select = statement<AnswerTask>(`
  select c.workspace_id, c.id as conversation_id, m.id as message_id, a.id as ai_agent_id, a.name, a.status, a.languages,
    a.instructions, a.proposes, m.created_at as written_at
  from conversations c
  join ai_agents a on a.workspace_id = c.workspace_id and a.id = c.ai_agent_id
  join messages m on m.workspace_id = c.workspace_id and m.conversation_id = c.id and m.id = $3
  where c.workspace_id = $1 and c.id = $2 and c.controller = 'bot' and c.workflow_run_id is null`);

/** Undefined if no agent controls the conversation any more. */
export async function findAnswerTask(connection: Connection, ref: AnswerRef): Promise<AnswerTask | undefined> {
  return (await select(connection, [ref.workspace_id, ref.conversation_id, ref.message_id]))[0];
}

// A message sent from the phone app of the number has no actor: a person wrote it.
const selectByPerson = statement(`
  select from messages
  where workspace_id = $1 and conversation_id = $2 and id > $3 and direction = 'outbound' and kind <> 'note'
    and (actor_kind is null or actor_kind = 'user')
  limit 1`);

/** Whether a person has written to the customer since the message. */
export async function isAnsweredByPerson(
  connection: Connection,
  { workspace_id, conversation_id, message_id }: AnswerRef,
): Promise<boolean> {
  return (await selectByPerson(connection, [workspace_id, conversation_id, message_id])).length > 0;
}
