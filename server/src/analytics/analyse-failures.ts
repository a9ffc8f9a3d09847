import type { FailureCount } from '@majlis/console-api';
import { isOf } from '../conversations/is-visible-to.ts';
import { limitedUserOf, type Principal } from '../conversations/refuse-hidden.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { momentsOf } from '../workspaces/calendar.ts';
import { readDateRange } from '../workspaces/read-date-range.ts';

interface FailureRow {
  code: string | null;
  error: string | null;
  count: number;
}

// The platform may have reasons without a code, each of them a row.
const mostReasons = 100;

// A reason begins with its code and a colon. One without a code counts as a whole. Messages of erased contacts count nowhere.
const countBy = (filter: string) => `
  with failed as (
    select m.error, substring(m.error from '^([0-9]+|[a-z_]+)(?=:|$)') as code
    from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
      and c.contact_id is not null
    where m.workspace_id = $1 and m.direction = 'outbound' and m.created_at >= $2 and m.created_at < $3
      and m.status = 'failed' and ${filter}
  )
  select code, min(error) as error, count(*)::integer as count
  from failed group by code, case when code is null then error end
  order by count desc, min(error) limit ${mostReasons}`;

const any = `m.kind <> 'note'`;
const ofTemplate = `m.kind = 'template' and (m.content ->> 'name') = $4`;
const countAll = statement<FailureRow>(countBy(any));
const countOfTemplate = statement<FailureRow>(countBy(ofTemplate));
// In the conversations that a limited person sees.
const countSeen = statement<FailureRow>(countBy(`${any} and ${isOf('$4', 'c')}`));
const countSeenOfTemplate = statement<FailureRow>(countBy(`${ofTemplate} and ${isOf('$5', 'c')}`));

/** Counts the failed messages of these days that the principal may see by reason, the most frequent first. */
export async function analyseFailures(
  connection: Connection,
  principal: Principal,
  { template, ...dates }: { from: string; to: string; template?: string },
): Promise<FailureCount[]> {
  const { workspace_id } = principal;
  const user_id = limitedUserOf(principal);
  const { timezone, ...range } = await readDateRange(connection, workspace_id, dates);
  const { starts_at, ends_at } = momentsOf(range, timezone);
  const values = [workspace_id, starts_at, ends_at];
  const count = template === undefined ? [countAll, countSeen] : [countOfTemplate, countSeenOfTemplate];
  const given = template === undefined ? values : [...values, template];
  const rows = await (user_id ? count[1]!(connection, [...given, user_id]) : count[0]!(connection, given));
  return rows.map(({ code, error, count }) => ({
    ...(code !== null && { code }),
    ...(error !== null && { error }),
    count,
  }));
}
