import { parseId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import type { Json } from './json.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Majlis, Workspace } from './start-majlis.ts';

/** An endpoint for all events of a workspace of its own, whose receiver answers 500. */
export interface Failing {
  workspace: Workspace;
  receiver: Receiver;
  endpoint: Json;
}

export async function openFailing(majlis: Majlis, file?: Record<string, unknown>): Promise<Failing> {
  const workspace = await majlis.workspace(file);
  const receiver = await startReceiver();
  receiver.answer(500);
  const { body } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  return { workspace, receiver, endpoint: body };
}

/** What is listed, the newest first. */
export async function attemptsOf({ workspace, endpoint }: Failing): Promise<Json[]> {
  return (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data;
}

export const patch = ({ workspace, endpoint }: Failing, body: object) =>
  workspace.api.request('PATCH', `/webhook-endpoints/${endpoint.id}`, body);

/** What waits for the endpoint or is under way. */
export const waiting = (majlis: Majlis, { id }: Json) =>
  majlis.sql(`select id from jobs where kind like 'webhook_endpoints.%' and group_id = $1`, [
    parseId('webhook_endpoint', id),
  ]);

export const untilQuiet = (majlis: Majlis, endpoint: Json) =>
  eventually(
    () => waiting(majlis, endpoint),
    (jobs) => jobs.length === 0,
  );
