import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { NewAnswer } from '../queries.ts';

const select = statement<NewAnswer>(`
  select workspace_id, id, ai_agent_id, conversation_id, outcome, reason, message_id, created_at from ai_answers
  where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`);

/** What became of each time that an agent was to answer, in order, from behind the one `after` on. */
export function listAnswers(
  connection: Connection,
  workspace_id: string,
  { after, count }: { after: string | null; count: number },
): Promise<NewAnswer[]> {
  return select(connection, [workspace_id, after, count]);
}
