import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { cancelledReason } from '../messages/rules.ts';

export interface FailureCount {
  /** The platform's number or the code of a refusal; null where a reason begins with none. */
  code: string | null;
  /** The reason of one of them. */
  error: string | null;
  count: number;
}

/** Bounds the answer, because the platform may have reasons without a code. */
const codesMax = 100;

/** A reason begins with its code and a colon. One without a code counts as a whole. */
export const codeOfReason = (error: string) => `substring(${error} from '^([0-9]+|[a-z_]+)(?=:|$)')`;

const selectFailures = statement<FailureCount>(`
  with failed as (
    select error from messages where workspace_id = $1 and broadcast_id = $2 and status = 'failed'
    union all
    select case when r.status = 'waiting' then $3 else r.error end
    from broadcast_recipients r
    join broadcasts b on b.workspace_id = r.workspace_id and b.id = r.broadcast_id
    where r.workspace_id = $1 and r.broadcast_id = $2
      and (r.status = 'refused' or r.status = 'waiting' and b.status = 'cancelled')
  ), coded as (
    select error, ${codeOfReason('error')} as code from failed
  )
  select code, min(error) as error, count(*)::int as count
  from coded group by code, case when code is null then error end
  order by count desc, min(error) limit ${codesMax}`);

/** The failures of a broadcast by code, the most frequent first. Their counts add up to its count of failures. */
export function listFailures(
  connection: Connection,
  workspace_id: string,
  broadcast_id: string,
): Promise<FailureCount[]> {
  return selectFailures(connection, [workspace_id, broadcast_id, cancelledReason]);
}
