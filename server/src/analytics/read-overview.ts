import type { AnalyticsOverview } from '@majlis/contract';
import { listStages } from '../contacts/queries.ts';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

interface StageCounts {
  stage_id: string | null;
  open: number;
  unreplied: number;
  unassigned: number;
  closed: number;
}

const sumCounts = statement<StageCounts>(`
  select stage_id, sum(open)::bigint as open, sum(unreplied)::bigint as unreplied,
    sum(unassigned)::bigint as unassigned, sum(closed)::bigint as closed
  from conversation_counts where workspace_id = $1 group by stage_id`);

/** The conversations as they stand, from the counts that the database keeps of them. */
export async function readOverview(connection: Connection, workspace_id: string): Promise<AnalyticsOverview> {
  const counts = await sumCounts(connection, [workspace_id]);
  const stages = await listStages(connection, workspace_id);
  const sum = (count: (row: StageCounts) => number, rows = counts) => rows.reduce((all, row) => all + count(row), 0);
  const standing = (id: string) =>
    sum(
      ({ open, closed }) => open + closed,
      counts.filter((row) => row.stage_id === id),
    );
  return {
    open: sum(({ open }) => open),
    unreplied: sum(({ unreplied }) => unreplied),
    unassigned: sum(({ unassigned }) => unassigned),
    closed: sum(({ closed }) => closed),
    stages: Object.fromEntries(stages.map(({ id }) => [publicId('stage', id), standing(id)])),
  };
}
