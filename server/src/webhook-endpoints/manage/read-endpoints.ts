import type { Connection } from '../../database/pool.ts';
import { build, run, runFirst, statement } from '../../database/query.ts';
import type { ListedAttempt } from '../present.ts';
import { type EndpointRow, endpointColumns } from '../queries.ts';

export function listEndpoints(connection: Connection, workspace_id: string): Promise<EndpointRow[]> {
  return run(
    connection,
    build
      .selectFrom('webhook_endpoints')
      .select(endpointColumns)
      .where('workspace_id', '=', workspace_id)
      .where('deleted_at', 'is', null)
      .orderBy('id'),
  );
}

/** With its secret, sealed in the place `webhook_endpoints.secret`. */
export function findEndpoint(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<(EndpointRow & { secret: Buffer }) | undefined> {
  return runFirst(
    connection,
    build
      .selectFrom('webhook_endpoints')
      .select([...endpointColumns, 'secret'])
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  );
}

/** An attempt of the list, and where it stands there. */
export type ListedRow = ListedAttempt & { listed_at: Date };

export interface AttemptPage {
  /** Not listed any longer than since then. */
  since: Date;
  after: { listed_at: string; id: string } | undefined;
  count: number;
}

const selectAttempts = statement<ListedRow>(`
  select id, event_id, event_type, attempt, response_status, duration_ms, delivered_at, listed_at
  from webhook_attempts
  where workspace_id = $1 and endpoint_id = $2 and listed_at >= $3
    and listed_at <= coalesce($4::timestamptz, 'infinity') and ($5::uuid is null or (listed_at, id) < ($4, $5))
  order by listed_at desc, id desc limit $6`);

/** The newest first. */
export function listAttempts(
  connection: Connection,
  workspace_id: string,
  endpoint_id: string,
  { since, after, count }: AttemptPage,
): Promise<ListedRow[]> {
  const values = [workspace_id, endpoint_id, since, after?.listed_at ?? null, after?.id ?? null, count];
  return selectAttempts(connection, values);
}
