import { type Static, Type } from 'typebox';
import { type IdKind, parseId } from '../database/ids.ts';
import { momentOf } from '../database/moment-of.ts';
import { statement } from '../database/query.ts';
import { invalid } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { replayEvents } from '../webhook-endpoints/manage/replay-events.ts';
import { findWorkspaceId } from './apply/get-workspace-id.ts';

/** The deliveries to restart: of one event, or missed by an endpoint or a workspace, or all of a period. */
export const ReplayBody = Type.Object(
  {
    event_id: Type.Optional(Type.String()),
    endpoint_id: Type.Optional(Type.String()),
    workspace_id: Type.Optional(Type.String()),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time' })),
    undelivered: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ReplayBody = Static<typeof ReplayBody>;

interface Target {
  workspace_id: string;
  endpoint_id: string;
  enabled: boolean;
}

const selectEvent = statement<{ id: string }>(`
  select e.id from workspaces w join events e on e.workspace_id = w.id and e.id = $1`);
const selectEndpoint = statement<Target>(`
  select e.workspace_id, e.id as endpoint_id, e.enabled from workspaces w
  join webhook_endpoints e on e.workspace_id = w.id and e.id = $1 and e.deleted_at is null`);
const selectEndpoints = statement<Target>(`
  select workspace_id, id as endpoint_id, enabled from webhook_endpoints
  where workspace_id = $1 and deleted_at is null order by id`);
const selectReceivers = statement<Target>(`
  select e.workspace_id, e.id as endpoint_id, e.enabled from workspaces w
  join lateral (select distinct endpoint_id from webhook_attempts a where a.workspace_id = w.id and a.event_id = $1) r on true
  join webhook_endpoints e on e.workspace_id = w.id and e.id = r.endpoint_id and e.deleted_at is null
  order by e.id`);

/** Answers how many deliveries it restarted. */
export async function replayDeliveries(resources: Resources, body: ReplayBody): Promise<number> {
  const event_id = body.event_id === undefined ? undefined : await findEventId(resources, body.event_id);
  const targets = await findTargets(resources, body, event_id);
  const from = body.from === undefined ? null : readMoment(body.from, '/from');
  const to = body.to === undefined ? null : readMoment(body.to, '/to');
  // A receiver that lost its events gives a period; without one, only missed events are replayed.
  const undelivered = body.undelivered ?? (event_id === undefined && !from && !to);
  let replayed = 0;
  for (const { workspace_id, endpoint_id } of targets) {
    const request = { workspace_id, endpoint_id, from, to, undelivered, ...(event_id && { event_id }) };
    replayed += await replayEvents(resources, request);
  }
  return replayed;
}

async function findTargets({ pool }: Resources, body: ReplayBody, event_id: string | undefined): Promise<Target[]> {
  const { endpoint_id, workspace_id } = body;
  if (endpoint_id !== undefined) {
    const [target] = await selectEndpoint(pool, [idOf('webhook_endpoint', endpoint_id, '/endpoint_id')]);
    if (!target) throw invalid({ detail: 'names nothing', pointer: '/endpoint_id' });
    if (!target.enabled) throw invalid({ detail: 'is disabled: enable it first', pointer: '/endpoint_id' });
    return [target];
  }
  if (workspace_id === undefined && !event_id) {
    throw invalid({ detail: 'is required, or event_id or workspace_id in its place', pointer: '/endpoint_id' });
  }
  if (event_id) return (await selectReceivers(pool, [event_id])).filter(({ enabled }) => enabled);
  const id = await findWorkspaceId(pool, workspace_id!);
  if (!id) throw invalid({ detail: 'names nothing', pointer: '/workspace_id' });
  const found = await selectEndpoints(pool, [id]);
  return found.filter(({ enabled }) => enabled);
}

async function findEventId({ pool }: Resources, public_id: string): Promise<string> {
  const [event] = await selectEvent(pool, [idOf('event', public_id, '/event_id')]);
  if (!event) throw invalid({ detail: 'names nothing', pointer: '/event_id' });
  return event.id;
}

function readMoment(text: string, pointer: string): Date {
  const moment = momentOf(text);
  if (!moment) throw invalid({ detail: 'is no moment of the years 1 to 9999', pointer });
  return moment;
}

function idOf(kind: IdKind, id: string, pointer: string): string {
  const uuid = parseId(kind, id);
  if (!uuid) throw invalid({ detail: 'names nothing', pointer });
  return uuid;
}
