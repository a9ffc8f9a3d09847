import { sql } from 'kysely';
import { isVisibleTo } from '../../conversations/is-visible-to.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import type { Connection } from '../../database/pool.ts';
import { run, statement } from '../../database/query.ts';
import { allOf, type SqlCondition } from '../../database/search-page.ts';
import { authorOf } from './author.ts';
import type { Found, MessageFilter, SearchRange } from './find-matches.ts';
import type { UnindexedRow } from './search-entries.ts';
import { hasWordsIn } from './words.ts';

const rowsPerStatement = 500;
// Some 15 ms of processor time. The messages of the last 20 seconds are fewer, unless a broadcast is sent or the job is behind, as
// after a move of a large database. What is not read here is found as soon as the job has caught up.
const mostRows = 2_000;

const selectProgress = statement<{ up_to: string }>(`
  select up_to from message_search_progress where workspace_id = $1`);

/** The id of the last indexed message. */
export async function readProgress(connection: Connection, workspace_id: string): Promise<string | undefined> {
  return (await selectProgress(connection, [workspace_id]))[0]?.up_to;
}

/** The newest matches among the messages that are too young for the index. */
export async function findUnindexed(
  connection: Connection,
  viewer: Viewer,
  filter: MessageFilter,
  range: SearchRange,
  count: number,
): Promise<Found> {
  const ids: string[] = [];
  let below = range.below;
  for (let read = 0; read < mostRows; read += rowsPerStatement) {
    const rows = await run(connection, newest(viewer, { below, above: range.above }));
    for (const row of rows) {
      if (!isMatch(row, filter)) continue;
      ids.push(row.id);
      if (ids.length === count) return { ids, below: row.id };
    }
    if (rows.length < rowsPerStatement) break;
    below = rows.at(-1)!.id;
  }
  return { ids, below: undefined };
}

function isMatch(row: UnindexedRow, { words, written_by }: MessageFilter): boolean {
  return (written_by === undefined || authorOf(row) === written_by) && hasWordsIn([row.body, row.filename], words);
}

function newest(viewer: Viewer, { below, above }: SearchRange) {
  const { workspace_id, user_id, own_teams_only } = viewer;
  const seen: SqlCondition[] = own_teams_only
    ? [
        sql<boolean>`exists (select from conversations c
        where c.workspace_id = m.workspace_id and c.id = m.conversation_id and ${isVisibleTo(user_id)})`,
      ]
    : [];
  return sql<UnindexedRow>`
    select m.id, m.conversation_id, m.direction, m.kind, m.body, m.filename from messages m
    where ${allOf([sql`m.workspace_id = ${workspace_id} and m.id < ${below}::uuid and m.id > ${above}::uuid`, ...seen])}
    order by m.id desc limit ${sql.lit(rowsPerStatement)}`;
}
