import type { Fees } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { invalid } from '../http/reply/refusal.ts';
import { countPeriods, momentsOf, periodsOf } from './calendar.ts';
import { listVolumeTiers } from './prices/volume-tiers.ts';
import { readDateRange } from './read-date-range.ts';

const sumFees = statement<{ n: number; category: string; conversations: number; amount_minor: number }>(`
  select p.n, l.category, count(*)::integer as conversations, -sum(l.amount_minor)::bigint as amount_minor
  from json_to_recordset($2) as p (n integer, starts_at timestamptz, ends_at timestamptz)
  join ledger_entries l on l.workspace_id = $1 and l.created_at >= p.starts_at and l.created_at < p.ends_at
    and l.category is not null
  group by p.n, l.category order by p.n, l.category`);

// The operator fills the wallet by hand, so there are few.
const mostAdjustments = 100;
const selectAdjustments = statement<{ created_at: Date; amount_minor: number }>(`
  select created_at, amount_minor from ledger_entries
  where workspace_id = $1 and created_at >= $2 and created_at < $3 and kind = 'adjustment'
  order by created_at desc, reference limit ${mostAdjustments}`);

/** Reads the conversation fees of a range of days by day and category, and what the operator changed meanwhile. */
export async function readFees(
  connection: Connection,
  workspace_id: string,
  dates: { from: string; to: string },
  mostDays: number,
): Promise<Fees> {
  const { timezone, ...range } = await readDateRange(connection, workspace_id, dates);
  if (countPeriods(range, 'day') > mostDays) {
    throw invalid({ detail: `is more than ${mostDays} days after \`from\``, pointer: '/to' });
  }
  const days = periodsOf(range, 'day', timezone);
  const rows = await sumFees(connection, [workspace_id, JSON.stringify(days.map((day, n) => ({ ...day, n })))]);
  const { starts_at, ends_at } = momentsOf(range, timezone);
  const adjustments = await selectAdjustments(connection, [workspace_id, starts_at, ends_at]);
  return {
    data: rows.map(({ n, ...fees }) => ({ date: days[n]!.label, ...fees })),
    adjustments: adjustments.map(({ created_at, amount_minor }) => ({ at: created_at.toISOString(), amount_minor })),
    volume_tiers: await listVolumeTiers(connection, workspace_id),
  };
}
