import { type AnyEventType, eventTypes } from '@majlis/contract';
import { newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { composeEnvelope } from './compose-envelope.ts';
import { deliverEvent, fanOutEvents } from './delivery-job.ts';

export interface NewEvent {
  workspace_id: string;
  type: AnyEventType;
  data: object;
  /** The conversation of the event. The event is erased with it. */
  conversation_id?: string;
  /** The contact of an event that belongs to no conversation. The event is erased with it. */
  contact_id?: string;
  /** Milliseconds after the time of recording. By default, the event follows the events before it in the batch. */
  place_ms?: number;
  /** The time of the event, where it is recorded later than it happened. */
  at?: Date;
}

const columns = 'workspace_id, id, type, payload, conversation_id, contact_id, created_at';

/** A row of `events`, before it is stored. */
export type EventRow = Record<'workspace_id' | 'id' | 'type' | 'payload' | 'created_at', string>;

const contractTypes = eventTypes.map((type) => `'${type}'`).join();

// A workspace with more endpoints gets its deliveries by a job: with 400 of them, the messages of one batch would write 200,000
// rows in a transaction that it shares with other workspaces, beyond the time of a statement.
const mostReceivers = 32;

const isLive = 'e.workspace_id = w.workspace_id and e.deleted_at is null';
const wants = (type: string) => `(${type} = any (e.events) or '*' = any (e.events) and ${type} in (${contractTypes}))`;

// The subscriptions at this moment decide the receivers (hazard H49), in the transaction of the event (hazard H46). Each
// enabled endpoint gets a first attempt and its job; a disabled one gets a record that nothing was attempted.
// `*` means the types of the contract: an endpoint that asks for all must not get types that it does not know.
/**
 * The end of a statement whose other parts decide which events happened: it records the rows of `source`, which has the columns of
 * `events`. `kind` is the parameter of `deliverEvent`, and `at` that of the time. The caller announces the kinds that it returns.
 */
export const recordedIn = (source: string, { kind, at }: { kind: string; at: string }) => `recorded as (
    insert into events (${columns}) select ${columns} from ${source}
  ), crowded as materialized (
    select w.workspace_id from (select distinct workspace_id from ${source}) w
    where (select count(*) from (select from webhook_endpoints e where ${isLive} limit ${mostReceivers + 1}) first) > ${mostReceivers}
  ), attempts as (
    insert into webhook_attempts (workspace_id, event_id, endpoint_id, attempt, event_type, term, listed_at)
    select w.workspace_id, w.id, e.id, e.enabled::int, w.type, e.term, case when not e.enabled then w.created_at end
    from ${source} w join webhook_endpoints e on ${isLive} and ${wants('w.type')}
    where w.workspace_id <> all (array(select workspace_id from crowded))
    returning workspace_id, event_id, endpoint_id, attempt
  ), fan_outs as (
    select w.workspace_id, json_build_object('workspace_id', w.workspace_id, 'event_type', w.type, 'event_ids', w.event_ids,
      'receivers', r.receivers)::text as payload
    from (
      select workspace_id, type, json_agg(id order by id) as event_ids from ${source}
      where workspace_id = any (array(select workspace_id from crowded)) group by 1, 2
    ) w
    cross join lateral (
      select json_agg(json_build_object('endpoint_id', e.id, 'enabled', e.enabled, 'term', e.term) order by e.id) as receivers
      from webhook_endpoints e where ${isLive} and ${wants('w.type')}
    ) r
    where r.receivers is not null
  )
  insert into jobs (kind, group_id, tenant_id, payload, run_at)
  select ${kind}::text, endpoint_id, workspace_id, row_to_json(a)::text, ${at}::timestamptz from attempts a where attempt = 1
  union all
  select '${fanOutEvents}', workspace_id, workspace_id, payload, ${at}::timestamptz from fan_outs
  returning kind`;

const insertEvents = statement<DeliveryJob>(`
  with new as materialized (
    select ${columns} from json_populate_recordset(null::events, $1)
  ), ${recordedIn('new', { kind: '$2', at: '$3' })}`);

/** A job that the statement of `recordedIn` enqueued. */
export interface DeliveryJob {
  kind: string;
}

/** Announces the jobs of recorded events. */
export function announceDeliveries(tx: Transaction, jobs: readonly DeliveryJob[]): void {
  for (const { kind } of jobs) tx.announce(kind);
}

/**
 * Records events and their deliveries in the transaction of their cause. The payload is the envelope as it will be signed
 * and sent. Receivers order events by `created_at`, so no two events of one batch share a time.
 */
export async function recordEvents(tx: Transaction, clock: Clock, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const now = clock.nowMs();
  const rows = events.map((event, index) => {
    return toEventRow(clock, event, event.at ?? new Date(now + (event.place_ms ?? index)));
  });
  const jobs = await insertEvents(tx, [JSON.stringify(rows), deliverEvent, new Date(now)]);
  announceDeliveries(tx, jobs);
}

export function toEventRow(
  clock: Clock,
  { workspace_id, type, data, conversation_id, contact_id }: NewEvent,
  at: Date,
): EventRow {
  const id = newId(clock);
  const created_at = at.toISOString();
  const payload = composeEnvelope({ workspace_id, id, type, created_at, data });
  return { workspace_id, id, type, payload, created_at, ...{ conversation_id, contact_id } };
}
