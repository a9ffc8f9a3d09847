import { type BoardCounts, mostCounted, noStage } from '@majlis/console-api';
import { sql } from 'kysely';
import { listStages } from '../../contacts/queries.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { parseId, publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { listRanged, type ViewPage, type ViewRow } from './list-view.ts';
import { type RangedView, rangesOf } from './view-ranges.ts';

/** Whose conversations a board shows: the person's own, or all that they may see. */
type Whose = Extract<RangedView['name'], 'mine' | 'all'>;

export function readWhose(assignee: string | undefined): Whose {
  if (assignee === undefined) return 'all';
  if (assignee !== 'me') throw invalid({ detail: 'must be me', pointer: '/assignee' });
  return 'mine';
}

/** One page of a column; null is the one of the conversations without a stage. */
export async function listColumn(
  connection: Connection,
  stage: string,
  whose: Whose,
  { viewer, page }: { viewer: Viewer; page: ViewPage },
): Promise<ViewRow[]> {
  const stage_id = stage === noStage ? null : parseId('stage', stage);
  if (stage_id === undefined) throw new Refusal('not_found');
  const stages = stage_id === null ? [] : await listStages(connection, viewer.workspace_id);
  if (stage_id !== null && !stages.some(({ id }) => id === stage_id)) throw new Refusal('not_found');
  return listRanged(connection, { name: whose, stage_id }, viewer, page);
}

/** The conversations of each column, in the order of the stages, and of those without one. Each is counted up to a bound. */
export async function countBoard(
  connection: Connection,
  whose: Whose,
  viewer: Viewer,
  now: Date,
): Promise<BoardCounts['stages']> {
  const stages = await listStages(connection, viewer.workspace_id);
  const ids = [null, ...stages.map(({ id }) => id)];
  const counts = ids.map((stage_id) => {
    const ranges = rangesOf({ name: whose, stage_id }, viewer, { now, count: mostCounted });
    return sql`select ${stage_id}::uuid as stage_id, (select count(*)::integer from ${ranges} c) as count`;
  });
  const query = sql<{ stage_id: string | null; count: number }>`${sql.join(counts, sql` union all `)}`;
  const rows = await run(connection, query);
  return ids.map((stage_id) => ({
    stage_id: stage_id === null ? noStage : publicId('stage', stage_id),
    count: rows.find((row) => row.stage_id === stage_id)!.count,
  }));
}
