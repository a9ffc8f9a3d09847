import type { ConversationAnalyticsRow } from '@majlis/contract';
import { isOf } from '../conversations/is-visible-to.ts';
import { limitedUserOf, type Principal } from '../conversations/refuse-hidden.ts';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { invalid } from '../http/reply/refusal.ts';
import { countPeriods, type Interval, type Period, periodsOf } from '../workspaces/calendar.ts';
import { readDateRange } from '../workspaces/read-date-range.ts';

export type Grouping = 'channel' | 'team' | 'user' | 'stage';

export interface ConversationQuestion {
  from: string;
  to: string;
  interval?: Interval;
  group_by?: Grouping;
}

interface Figures {
  /** The index of the period. */
  n: number;
  group_id: string | null;
  new?: number;
  closed?: number;
  first_response_ms?: number | null;
  resolution_ms?: number | null;
}

// In milliseconds as float8: the median of two values needs halves.
const median = (later: string, earlier: string) =>
  `percentile_cont(0.5) within group (order by (extract(epoch from ${later} - ${earlier}) * 1000)::float8)`;

const newInPeriods = (group: string, isSeen: string) =>
  statement<Figures>(`
    select p.n, ${group} as group_id, count(*) as new,
      ${median('c.first_response_at', 'c.first_customer_at')} as first_response_ms
    from json_to_recordset($2) as p (n integer, starts_at timestamptz, ends_at timestamptz)
    join conversations c on c.workspace_id = $1 and c.created_at >= p.starts_at and c.created_at < p.ends_at
      and c.contact_id is not null and ${isSeen}
    group by 1, 2`);

const ofClosing = 'join conversations c on c.workspace_id = e.workspace_id and c.id = e.conversation_id';

const closedInPeriods = (group: string, isSeen: string) =>
  statement<Figures>(`
    select p.n, ${group} as group_id, count(*) as closed, ${median('e.closed_at', 'e.opened_at')} as resolution_ms
    from json_to_recordset($2) as p (n integer, starts_at timestamptz, ends_at timestamptz)
    join conversation_closings e on e.workspace_id = $1 and e.closed_at >= p.starts_at and e.closed_at < p.ends_at
    ${`${group} ${isSeen}`.includes('c.') ? ofClosing : ''}
    where ${isSeen}
    group by 1, 2`);

const inPeriods = (begun: string, ended: string) => ({
  all: { begun: newInPeriods(begun, 'true'), ended: closedInPeriods(ended, 'true') },
  seen: { begun: newInPeriods(begun, isOf('$3', 'c')), ended: closedInPeriods(ended, isOf('$3', 'c')) },
});

/**
 * Closings count by the assignment when closed; new conversations count by the current one. `seen`: in conversations that a
 * limited person sees now.
 */
const groupings = {
  none: inPeriods('null::uuid', 'null::uuid'),
  channel: inPeriods('c.channel_id', 'c.channel_id'),
  team: inPeriods('c.team_id', 'e.team_id'),
  user: inPeriods('c.assignee_id', 'e.assignee_id'),
  stage: inPeriods('c.stage_id', 'e.stage_id'),
};

/**
 * Counts new conversations with the median time to the first response, and closings with the median open time, by period and
 * group, in the conversations that the principal may see. Without grouping every period has a row.
 */
export async function analyseConversations(
  connection: Connection,
  principal: Principal,
  { interval = 'day', group_by, ...dates }: ConversationQuestion,
  mostPeriods: number,
): Promise<ConversationAnalyticsRow[]> {
  const { workspace_id } = principal;
  const user_id = limitedUserOf(principal);
  const { timezone, ...range } = await readDateRange(connection, workspace_id, dates);
  if (countPeriods(range, interval) > mostPeriods) {
    throw invalid({ detail: `is more than ${mostPeriods} periods after \`from\``, pointer: '/to' });
  }
  const periods = periodsOf(range, interval, timezone);
  const grouping = groupings[group_by ?? 'none'][user_id ? 'seen' : 'all'];
  const listed = JSON.stringify(periods.map((period, n) => ({ ...period, n })));
  const values = [workspace_id, listed, ...(user_id ? [user_id] : [])];
  // In sequence: a report holds one connection.
  const rows = merge([...(await grouping.begun(connection, values)), ...(await grouping.ended(connection, values))]);
  if (!group_by) {
    const byPlace = new Map(rows.map((row) => [row.n, row]));
    return periods.map((period, n) => present(period, byPlace.get(n)));
  }
  return rows.map((row) => {
    const group = row.group_id && { [`${group_by}_id`]: publicId(group_by, row.group_id) };
    return { ...present(periods[row.n]!, row), ...group };
  });
}

/** One row per period and group, in order. */
function merge(parts: readonly Figures[]): Figures[] {
  const rows = new Map<string, Figures>();
  for (const part of parts) {
    const key = `${part.n} ${part.group_id}`;
    rows.set(key, { ...rows.get(key), ...part });
  }
  return [...rows.values()].sort((a, b) => a.n - b.n || (a.group_id ?? '').localeCompare(b.group_id ?? ''));
}

/** Leaves out the median of no values. */
function present({ label }: Period, row: Partial<Figures> = {}): ConversationAnalyticsRow {
  const { new: begun = 0, closed = 0, first_response_ms = null, resolution_ms = null } = row;
  return {
    period: label,
    new: begun,
    closed,
    ...(first_response_ms !== null && { first_response_p50_seconds: first_response_ms / 1000 }),
    ...(resolution_ms !== null && { resolution_p50_seconds: resolution_ms / 1000 }),
  };
}
