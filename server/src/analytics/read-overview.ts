import type { AnalyticsOverview } from '@majlis/contract';
import { listStages } from '../contacts/queries.ts';
import { isOf } from '../conversations/is-visible-to.ts';
import { limitedUserOf, type Principal } from '../conversations/refuse-hidden.ts';
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

const countSeen = statement<StageCounts>(`
  select c.stage_id, count(*) filter (where c.status = 'open') as open,
    count(*) filter (where c.status = 'open'
      and is_unreplied(c.last_customer_message_id, c.last_business_message_id)) as unreplied,
    count(*) filter (where c.status = 'open' and c.assignee_id is null) as unassigned,
    count(*) filter (where c.status = 'closed') as closed
  from conversations c where c.workspace_id = $1 and c.contact_id is not null and ${isOf('$2', 'c')}
  group by c.stage_id`);

/** Reads the current conversations from the counts that triggers keep; for a limited principal, counts what they see. */
export async function readOverview(connection: Connection, principal: Principal): Promise<AnalyticsOverview> {
  const { workspace_id } = principal;
  const user_id = limitedUserOf(principal);
  const counts = user_id
    ? await countSeen(connection, [workspace_id, user_id])
    : await sumCounts(connection, [workspace_id]);
  const stages = await listStages(connection, workspace_id);
  const sum = (count: (row: StageCounts) => number, rows = counts) => rows.reduce((all, row) => all + count(row), 0);
  const inStage = (id: string) =>
    sum(
      ({ open, closed }) => open + closed,
      counts.filter((row) => row.stage_id === id),
    );
  return {
    open: sum(({ open }) => open),
    unreplied: sum(({ unreplied }) => unreplied),
    unassigned: sum(({ unassigned }) => unassigned),
    closed: sum(({ closed }) => closed),
    stages: Object.fromEntries(stages.map(({ id }) => [publicId('stage', id), inStage(id)])),
  };
}
