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
  created_at: Date;
}

export interface NewEndpoint extends Omit<EndpointRow, 'enabled'> {
  description: string | null;
  /** Sealed in the place `webhook_endpoints.secret`. */
  secret: Buffer;
}

/** The columns of an `EndpointRow`. */
export const endpointColumns = ['workspace_id', 'id', 'url', 'events', 'enabled', 'created_at'] as const;

export async function insertEndpoint(connection: Connection, endpoint: NewEndpoint): Promise<EndpointRow> {
  const query = build.insertInto('webhook_endpoints').values(endpoint).returning(endpointColumns);
  return (await runFirst(connection, query))!;
}

/** What a change sets; what is left out stays. */
export interface EndpointChange {
  url?: string;
  events?: string[];
  enabled?: boolean;
}

// Enabling one that is disabled begins a new term and a new count of failures; one that is enabled goes on as it is.
const updateEndpoint = statement<EndpointRow & { was_enabled: boolean }>(`
  update webhook_endpoints e set url = coalesce($3, e.url), events = coalesce($4, e.events),
    enabled = coalesce($5, e.enabled),
    term = case when $5 and not was.enabled then e.term + 1 else e.term end,
    failing_since = case when $5 and not was.enabled then null else e.failing_since end,
    last_failure_at = case when $5 and not was.enabled then null else e.last_failure_at end
  from (select workspace_id, id, enabled from webhook_endpoints
        where workspace_id = $1 and id = $2 and deleted_at is null for no key update) as was
  where e.workspace_id = was.workspace_id and e.id = was.id
  returning ${endpointColumns.map((column) => `e.${column}`).join()}, was.enabled as was_enabled`);

/** Undefined for one that is not there. */
export async function changeEndpoint(
  connection: Connection,
  workspace_id: string,
  id: string,
  { url, events, enabled }: EndpointChange,
): Promise<(EndpointRow & { was_enabled: boolean }) | undefined> {
  const rows = await updateEndpoint(connection, [workspace_id, id, url ?? null, events ?? null, enabled ?? null]);
  return rows[0];
}

const endEndpoint = statement<{ id: string }>(`
  update webhook_endpoints set deleted_at = $3, enabled = false, url = '', description = null, secret = ''
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`);

/** False for one that is not there. */
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
  delivered_at: Date;
}

/** Events to deliver once more to an endpoint, whose schedule they begin anew. */
export interface Replay {
  workspace_id: string;
  endpoint_id: string;
  event_ids: readonly string[];
  /** Of these, the ones that happened in this time. */
  from: Date | null;
  to: Date | null;
  /** Only what was never delivered. */
  undelivered: boolean;
}

const refColumns = 'workspace_id, event_id, endpoint_id, attempt';
const dueColumns = `${refColumns}, event_type, term, tries`;

// What is due now is left to its job; a retry that waits for later is superseded by the attempt that is inserted here.
const insertReplays = statement<AttemptRef>(`
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

export function insertReplayed(
  connection: Connection,
  { workspace_id, endpoint_id, event_ids, from, to, undelivered }: Replay,
): Promise<AttemptRef[]> {
  return insertReplays(connection, [workspace_id, endpoint_id, event_ids, from, to, undelivered]);
}

const updateMade = statement(`
  update webhook_attempts a set listed_at = m.delivered_at, delivered_at = m.delivered_at,
    response_status = m.response_status, duration_ms = m.duration_ms, reason = m.reason
  from json_to_recordset($1) as m (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer,
    response_status integer, duration_ms integer, reason text, delivered_at timestamptz)
  where a.workspace_id = m.workspace_id and a.event_id = m.event_id and a.endpoint_id = m.endpoint_id
    and a.attempt = m.attempt`);

/** What is known by now of attempts that were made; it goes over what was known before. */
export async function recordMade(connection: Connection, made: readonly MadeAttempt[]): Promise<void> {
  if (made.length > 0) await updateMade(connection, [JSON.stringify(made)]);
}

/** An attempt that is to be made. */
export interface DueAttempt extends AttemptRef {
  event_type: string;
  term: number;
  tries: number;
}

const insertDue = statement<AttemptRef>(`
  insert into webhook_attempts (${dueColumns})
  select ${dueColumns} from json_populate_recordset(null::webhook_attempts, $1)
  on conflict do nothing
  returning ${refColumns}`);

/** Answers those that were not there yet. */
export async function insertDueAttempts(connection: Connection, due: readonly DueAttempt[]): Promise<AttemptRef[]> {
  return due.length === 0 ? [] : insertDue(connection, [JSON.stringify(due)]);
}

// What nobody attempted is listed as such, once: not where an attempt was made, nor where the event was listed so before
// it was replayed. The earliest row of an event stays, whatever else is held with it or at the same time.
const holdWaiting = statement(`
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

/** Attempts that will not be made, because their endpoint is disabled or was meanwhile: they can be replayed. */
export async function hold(connection: Connection, refs: readonly AttemptRef[], now: Date): Promise<void> {
  if (refs.length > 0) await holdWaiting(connection, [JSON.stringify(refs), now]);
}

const deleteWaiting = statement(`
  delete from webhook_attempts a
  using json_to_recordset($1) as r (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer)
  where a.workspace_id = r.workspace_id and a.event_id = r.event_id and a.endpoint_id = r.endpoint_id
    and a.attempt = r.attempt and a.listed_at is null`);

/** Attempts whose event was erased meanwhile. */
export async function dropWaiting(connection: Connection, refs: readonly AttemptRef[]): Promise<void> {
  if (refs.length > 0) await deleteWaiting(connection, [JSON.stringify(refs)]);
}

export interface TestAttempt extends AttemptRef, AttemptOutcome {
  id: string;
  event_type: string;
  delivered_at: Date;
}

/** The attempt of a test call: listed, and never again attempted. */
export async function insertTestAttempt(connection: Connection, attempt: TestAttempt): Promise<void> {
  const row = { ...attempt, term: 0, listed_at: attempt.delivered_at };
  await run(connection, build.insertInto('webhook_attempts').values(row));
}

/** How an endpoint stands while it is locked. */
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

/** Locks those of the endpoints that failed or had been failing: the others have nothing to change. */
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

/** Of endpoints that are locked. */
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

/** Answers how many. */
export async function forgetAttempts(
  connection: Connection,
  {
    workspace_id,
    endpoint_id,
    before,
    limit,
  }: { workspace_id: string; endpoint_id: string; before: Date; limit: number },
): Promise<number> {
  return (await deleteOldAttempts(connection, [workspace_id, endpoint_id, before, limit])).length;
}
