import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { type AiAnswer, answerColumns } from '../queries.ts';

const select = statement<AiAnswer>(`
  select ${answerColumns} from ai_answers
  where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`);

/** The outcomes of answer tasks in order, after the id `after`. */
export function listAiAnswers(
  connection: Connection,
  workspace_id: string,
  { after, count }: { after: string | null; count: number },
): Promise<AiAnswer[]> {
  return select(connection, [workspace_id, after, count]);
}
