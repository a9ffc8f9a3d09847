import type { EventDataForm, WebhookEndpointUpdate } from '@majlis/contract';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { AttemptRef } from '../events/delivery-job.ts';
import type { Streak } from './rules.ts';

export interface EndpointRow {
  workspace_id: string;
  id: string;
  url: string;
  events: string[];
  enabled: boolean;
  event_data: string;
  created_at: Date;
}

/** The context of sealed secrets. */
export const secretContext = 'webhook_endpoints.secret';

/** The secrets that sign deliveries, sealed. */
export interface SealedSecrets {
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: Date | null;
}

export const secretColumns = ['secret', 'old_secret', 'old_secret_until'] as const;

const updateSecrets = statement(`
  update webhook_endpoints set secret = $3, old_secret = $4, old_secret_until = $5 where workspace_id = $1 and id = $2`);

/** Stores the secrets of a locked endpoint. */
export async function storeRotation(
  connection: Connection,
  { workspace_id, id, ...sealed }: SealedSecrets & { workspace_id: string; id: string },
): Promise<void> {
  await updateSecrets(connection, [workspace_id, id, sealed.secret, sealed.old_secret, sealed.old_secret_until]);
}

const deleteOldSecrets = statement(`
  update webhook_endpoints set old_secret = null, old_secret_until = null where old_secret_until <= $1`);

/** Deletes the old secrets whose overlap is over. */
export async function forgetOldSecrets(connection: Connection, now: Date): Promise<void> {
  await deleteOldSecrets(connection, [now]);
}

export interface NewEndpoint extends Omit<EndpointRow, 'enabled'> {
  description: string | null;
  /** Sealed. */
  secret: Buffer;
}

/** The columns of an `EndpointRow`. */
export const endpointColumns = ['workspace_id', 'id', 'url', 'events', 'enabled', 'event_data', 'created_at'] as const;

export async function insertEndpoint(connection: Connection, endpoint: NewEndpoint): Promise<EndpointRow> {
  const query = build.insertInto('webhook_endpoints').values(endpoint).returning(endpointColumns);
  return (await runFirst(connection, query))!;
}

const selectSetups = statement<{ id: string; url: string; events: string[]; enabled: boolean }>(`
  select id, url, to_json(events) as events, enabled from webhook_endpoints
  where workspace_id = $1 and deleted_at is null order by id`);

/** The endpoints as their owners set them, the oldest first. */
export function listEndpointSetups(connection: Connection, workspace_id: string) {
  return selectSetups(connection, [workspace_id]);
}

// Enabling a disabled endpoint starts a new term and a new count of failures.
const updateEndpointRow = statement<EndpointRow & { was_enabled: boolean }>(`
  update webhook_endpoints e set url = coalesce($3, e.url), events = coalesce($4, e.events),
    enabled = coalesce($5, e.enabled), event_data = coalesce($6, e.event_data),
    term = case when $5 and not was.enabled then e.term + 1 else e.term end,
    failing_since = case when $5 and not was.enabled then null else e.failing_since end,
    last_failure_at = case when $5 and not was.enabled then null else e.last_failure_at end
  from (select workspace_id, id, enabled from webhook_endpoints
        where workspace_id = $1 and id = $2 and deleted_at is null for no key update) as was
  where e.workspace_id = was.workspace_id and e.id = was.id
  returning ${endpointColumns.map((column) => `e.${column}`).join()}, was.enabled as was_enabled`);

/** Undefined where the endpoint does not exist. */
export async function changeEndpoint(
  connection: Connection,
  workspace_id: string,
  id: string,
  {
    url,
    events,
    enabled,
    event_data,
  }: Omit<WebhookEndpointUpdate, 'event_data'> & { event_data?: EventDataForm | undefined },
): Promise<(EndpointRow & { was_enabled: boolean }) | undefined> {
  const values = [url ?? null, events ?? null, enabled ?? null, event_data ?? null];
  const rows = await updateEndpointRow(connection, [workspace_id, id, ...values]);
  return rows[0];
}

const endEndpoint = statement<{ id: string }>(`
  update webhook_endpoints set deleted_at = $3, enabled = false, url = '', description = null, secret = '',
    old_secret = null, old_secret_until = null
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`);

/** False where the endpoint does not exist. */
export async function markDeleted(
  connection: Connection,
  workspace_id: string,
  id: string,
  now: Date,
): Promise<boolean> {
  return (await endEndpoint(connection, [workspace_id, id, now])).length > 0;
}

export interface AttemptOutcome {
  response_status: number | null;
  duration_ms: number | null;
  reason: string | null;
}

/** An attempt that was made. */
export interface MadeAttempt extends AttemptRef, AttemptOutcome {
  made_at: Date;
}

/** Events to deliver again to an endpoint, with the whole schedule. */
export interface Replay {
  workspace_id: string;
  endpoint_id: string;
  event_ids: readonly string[];
  /** Only events of this period. */
  from: Date | null;
  to: Date | null;
  /** Only events that were never delivered. */
  undelivered: boolean;
}

const refColumns = 'workspace_id, event_id, endpoint_id, attempt';
const dueColumns = `${refColumns}, event_type, term, tries`;

// A first attempt that is due stays with its job. The inserted attempt supersedes a waiting retry.
const insertReplayRows = statement<AttemptRef>(`
  insert into webhook_attempts (${dueColumns})
  select ev.workspace_id, ev.id, e.id, 1 + coalesce(seen.last, 0), ev.type, e.term, 1
  from unnest($3::uuid[]) as wanted (id)
  join events ev on ev.workspace_id = $1 and ev.id = wanted.id
  join webhook_endpoints e on e.workspace_id = $1 and e.id = $2 and e.enabled
  cross join lateral (
    select max(attempt) as last, bool_or(listed_at is null and tries = 1) as is_due,
      bool_or(response_status between 200 and 299) as is_delivered
    from webhook_attempts a where a.workspace_id = $1 and a.event_id = ev.id and a.endpoint_id = e.id
  ) as seen
  where ev.created_at >= coalesce($4::timestamptz, '-infinity') and ev.created_at < coalesce($5::timestamptz, 'infinity')
    and seen.is_due is not true and not ($6 and seen.is_delivered is true)
  order by ev.created_at, ev.id
  on conflict do nothing
  returning ${refColumns}`);

export function insertReplays(
  connection: Connection,
  { workspace_id, endpoint_id, event_ids, from, to, undelivered }: Replay,
): Promise<AttemptRef[]> {
  return insertReplayRows(connection, [workspace_id, endpoint_id, event_ids, from, to, undelivered]);
}

const updateMade = statement(`
  update webhook_attempts a set listed_at = m.made_at,
    delivered_at = case when m.response_status between 200 and 299 then m.made_at end, response_status = m.response_status, duration_ms = m.duration_ms, reason = m.reason
  from json_to_recordset($1) as m (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer,
    response_status integer, duration_ms integer, reason text, made_at timestamptz)
  where a.workspace_id = m.workspace_id and a.event_id = m.event_id and a.endpoint_id = m.endpoint_id
    and a.attempt = m.attempt`);

/** Overwrites earlier outcomes of the same attempts. */
export async function recordAttempts(connection: Connection, made: readonly MadeAttempt[]): Promise<void> {
  if (made.length > 0) await updateMade(connection, [JSON.stringify(made)]);
}

/** An attempt to make. */
export interface DueAttempt extends AttemptRef {
  event_type: string;
  term: number;
  tries: number;
}

const insertDueRows = statement<AttemptRef>(`
  insert into webhook_attempts (${dueColumns})
  select ${dueColumns} from json_populate_recordset(null::webhook_attempts, $1)
  on conflict do nothing
  returning ${refColumns}`);

/** Answers the attempts that are new. */
export async function insertDue(connection: Connection, due: readonly DueAttempt[]): Promise<AttemptRef[]> {
  return due.length === 0 ? [] : insertDueRows(connection, [JSON.stringify(due)]);
}

/** The delivery of an event to an endpoint that was subscribed when it happened. */
export interface NewDelivery {
  event_id: string;
  endpoint_id: string;
  enabled: boolean;
  term: number;
}

const insertFirstRows = statement<AttemptRef>(`
  insert into webhook_attempts (${refColumns}, event_type, term, listed_at)
  select ev.workspace_id, ev.id, n.endpoint_id, n.enabled::int, ev.type, n.term, case when not n.enabled then ev.created_at end
  from json_to_recordset($2) as n (event_id uuid, endpoint_id uuid, enabled boolean, term integer)
  join events ev on ev.workspace_id = $1 and ev.id = n.event_id
  on conflict do nothing
  returning ${refColumns}`);

/** Inserts first attempts, or for disabled endpoints the record that nothing was attempted. Answers those that are new. */
export function insertFirst(
  connection: Connection,
  workspace_id: string,
  deliveries: readonly NewDelivery[],
): Promise<AttemptRef[]> {
  return insertFirstRows(connection, [workspace_id, JSON.stringify(deliveries)]);
}

// An event is listed as not attempted once: not after an attempt was made, nor after it was listed so before a replay.
// The earliest row of an event stays.
const updateSkipped = statement(`
  with held as (
    select a.workspace_id, a.event_id, a.endpoint_id, a.attempt, exists (
      select from webhook_attempts earlier where earlier.workspace_id = a.workspace_id
        and earlier.event_id = a.event_id and earlier.endpoint_id = a.endpoint_id and earlier.attempt < a.attempt
    ) as is_later
    from json_to_recordset($1) as r (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer)
    join webhook_attempts a using (workspace_id, event_id, endpoint_id, attempt)
  ), later as (
    delete from webhook_attempts a using held h
    where h.is_later and a.workspace_id = h.workspace_id and a.event_id = h.event_id and a.endpoint_id = h.endpoint_id
      and a.attempt = h.attempt and a.listed_at is null
  )
  update webhook_attempts a set attempt = 0, listed_at = $2 from held h
  where not h.is_later and a.workspace_id = h.workspace_id and a.event_id = h.event_id
    and a.endpoint_id = h.endpoint_id and a.attempt = h.attempt and a.listed_at is null`);

/** Lists attempts of endpoints that are or were disabled as not attempted. They can be replayed. */
export async function markSkipped(connection: Connection, refs: readonly AttemptRef[], now: Date): Promise<void> {
  if (refs.length > 0) await updateSkipped(connection, [JSON.stringify(refs), now]);
}

const deleteWaitingRows = statement(`
  delete from webhook_attempts a
  using json_to_recordset($1) as r (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer)
  where a.workspace_id = r.workspace_id and a.event_id = r.event_id and a.endpoint_id = r.endpoint_id
    and a.attempt = r.attempt and a.listed_at is null`);

/** Deletes attempts whose event was erased. */
export async function dropWaiting(connection: Connection, refs: readonly AttemptRef[]): Promise<void> {
  if (refs.length > 0) await deleteWaitingRows(connection, [JSON.stringify(refs)]);
}

export interface TestAttempt extends AttemptRef, AttemptOutcome {
  id: string;
  event_type: string;
  listed_at: Date;
  delivered_at: Date | null;
}

/** Stores the attempt of a test call, which is never retried. */
export async function insertTestAttempt(connection: Connection, attempt: TestAttempt): Promise<void> {
  const row = { ...attempt, term: 0 };
  await run(connection, build.insertInto('webhook_attempts').values(row));
}

/** An endpoint under lock. */
export interface LockedEndpoint extends Streak {
  workspace_id: string;
  id: string;
  url: string;
  enabled: boolean;
  term: number;
}

const lockEndpoints = statement<LockedEndpoint>(`
  select e.workspace_id, e.id, e.url, e.enabled, e.term, e.failing_since, e.last_failure_at
  from json_to_recordset($1) as r (workspace_id uuid, endpoint_id uuid, failed boolean)
  join webhook_endpoints e on e.workspace_id = r.workspace_id and e.id = r.endpoint_id
  where r.failed or e.failing_since is not null
  order by e.id
  for no key update of e`);

/** Locks the endpoints that failed now or before; the others need no change. */
export async function lockFailing(
  connection: Connection,
  endpoints: readonly { workspace_id: string; endpoint_id: string; failed: boolean }[],
): Promise<LockedEndpoint[]> {
  return lockEndpoints(connection, [JSON.stringify(endpoints)]);
}

const updateStreaks = statement(`
  update webhook_endpoints e set failing_since = s.failing_since, last_failure_at = s.last_failure_at, enabled = s.enabled
  from json_to_recordset($1) as s
    (workspace_id uuid, id uuid, enabled boolean, failing_since timestamptz, last_failure_at timestamptz)
  where e.workspace_id = s.workspace_id and e.id = s.id`);

/** Saves locked endpoints. */
export async function saveStreaks(connection: Connection, endpoints: readonly LockedEndpoint[]): Promise<void> {
  if (endpoints.length > 0) await updateStreaks(connection, [JSON.stringify(endpoints)]);
}

const deleteOldAttempts = statement<{ id: string }>(`
  delete from webhook_attempts a using (
    select ${refColumns} from webhook_attempts
    where workspace_id = $1 and endpoint_id = $2 and listed_at < $3 limit $4
  ) as old
  where a.workspace_id = old.workspace_id and a.event_id = old.event_id and a.endpoint_id = old.endpoint_id
    and a.attempt = old.attempt
  returning a.id`);

/** Answers the number of deleted attempts. */
export async function deleteAttempts(
  connection: Connection,
  old: { workspace_id: string; endpoint_id: string; before: Date; limit: number },
): Promise<number> {
  return (await deleteOldAttempts(connection, [old.workspace_id, old.endpoint_id, old.before, old.limit])).length;
}
