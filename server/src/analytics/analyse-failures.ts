import type { FailureCount } from '@majlis/console-api';
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

const countAll = statement<FailureRow>(countBy(`m.kind <> 'note'`));
const countOfTemplate = statement<FailureRow>(countBy(`m.kind = 'template' and (m.content ->> 'name') = $4`));

/** Counts the failed messages that were accepted on these days by reason, the most frequent first. */
export async function analyseFailures(
  connection: Connection,
  workspace_id: string,
  { template, ...dates }: { from: string; to: string; template?: string },
): Promise<FailureCount[]> {
  const { timezone, ...range } = await readDateRange(connection, workspace_id, dates);
  const { starts_at, ends_at } = momentsOf(range, timezone);
  const values = [workspace_id, starts_at, ends_at];
  const rows = await (template === undefined
    ? countAll(connection, values)
    : countOfTemplate(connection, [...values, template]));
  return rows.map(({ code, error, count }) => ({
    ...(code !== null && { code }),
    ...(error !== null && { error }),
    count,
  }));
}
