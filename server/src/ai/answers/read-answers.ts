import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { answerColumns, type NewAnswer } from '../queries.ts';

const select = statement<NewAnswer>(`
  select ${answerColumns} from ai_answers
  where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`);

/** What became of each time that an agent was to answer, in order, from behind the one `after` on. */
export function listAnswers(
  connection: Connection,
  workspace_id: string,
  { after, count }: { after: string | null; count: number },
): Promise<NewAnswer[]> {
  return select(connection, [workspace_id, after, count]);
}
