import type { Connection } from '../../database/pool.ts';
import { build, run, runFirst, statement } from '../../database/query.ts';
import type { ListedAttempt } from '../present.ts';
import { type EndpointRow, endpointColumns, type SealedSecrets, secretColumns } from '../queries.ts';

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

export type EndpointWithSecrets = EndpointRow & SealedSecrets;

/** With its sealed secrets. */
export function findEndpoint(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<EndpointWithSecrets | undefined> {
  return runFirst(
    connection,
    build
      .selectFrom('webhook_endpoints')
      .select([...endpointColumns, ...secretColumns])
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  );
}

const selectOfAny = statement<EndpointRow>(`
  select ${endpointColumns.map((column) => `e.${column}`).join()} from workspaces w
  join webhook_endpoints e on e.workspace_id = w.id and e.id = $1 and e.deleted_at is null`);

/** An endpoint of any workspace, for the operator. */
export async function findEndpointOfAny(connection: Connection, id: string): Promise<EndpointRow | undefined> {
  return (await selectOfAny(connection, [id]))[0];
}

/** A listed attempt with its page position. */
export type ListedRow = ListedAttempt & { listed_at: Date };

export interface AttemptPage {
  /** Attempts listed before this moment are left out. */
  since: Date;
  after: { listed_at: string; id: string } | undefined;
  count: number;
}

const selectAttempts = statement<ListedRow>(`
  select id, event_id, event_type, attempt, response_status, duration_ms, delivered_at, reason, listed_at
  from webhook_attempts
  where workspace_id = $1 and endpoint_id = $2 and listed_at >= $3
    and listed_at <= coalesce($4::timestamptz, 'infinity') and ($5::uuid is null or (listed_at, id) < ($4, $5))
  order by listed_at desc, id desc limit $6`);

/** Newest first. */
export function listAttempts(
  connection: Connection,
  workspace_id: string,
  endpoint_id: string,
  { since, after, count }: AttemptPage,
): Promise<ListedRow[]> {
  const values = [workspace_id, endpoint_id, since, after?.listed_at ?? null, after?.id ?? null, count];
  return selectAttempts(connection, values);
}

const selectListed = statement<{ id: string; listed_at: Date }>(`
  select id, listed_at from webhook_attempts
  where workspace_id = $1 and endpoint_id = $2 and id = $3 and listed_at is not null`);

/** The place of an attempt in the list. */
export async function findListed(
  connection: Connection,
  workspace_id: string,
  endpoint_id: string,
  id: string,
): Promise<{ id: string; listed_at: string } | undefined> {
  const [row] = await selectListed(connection, [workspace_id, endpoint_id, id]);
  return row && { id: row.id, listed_at: row.listed_at.toISOString() };
}
