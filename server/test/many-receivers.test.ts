import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { withTrigger } from '@majlis/testing/with-trigger';
import { parseId, publicId } from '../src/database/ids.ts';

// Has no worker, so the deliveries to many endpoints are still to be written.
const door = await startTestService({ env: { RATE_LIMITS: 'off', ROLES: 'api' } });
const receiver = await startWebhookReceiver();
const startWorker = () => door.another({ ROLES: 'api,worker' });

async function register({ api }: TestWorkspace): Promise<string> {
  const { status, body } = await api.post('/webhook-endpoints', { url: receiver.url, events: ['contact.created'] });
  assert.equal(status, 201);
  return body.id;
}

/** Makes a contact, which is an event. */
async function causeEvent({ api }: TestWorkspace): Promise<void> {
  const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
  assert.equal((await api.post('/contacts', { identities })).status, 201);
}

const attemptsOf = ({ id }: TestWorkspace) =>
  door.sql<{ event_id: string; endpoint_id: string; attempt: number }>(
    'select event_id, endpoint_id, attempt from webhook_attempts where workspace_id = $1',
    [parseId('workspace', id)],
  );
const fanOuts = () =>
  door.sql<{ steps_done: number; failures: number }>(
    `select steps_done, failures from jobs where kind = 'webhook_endpoints.fan_out_events'`,
  );

it('an event of a workspace with many endpoints reaches those subscribed when it happened, by a job of its own', async () => {
  const workspace = await door.workspace();
  const ids = await Promise.all(Array.from({ length: 40 }, () => register(workspace)));
  const [disabled, ended, changed] = ids as [string, string, string];
  const change = (id: string, body: object) => workspace.api.request('PATCH', `/webhook-endpoints/${id}`, body);
  assert.equal((await change(disabled, { enabled: false })).status, 200);
  await causeEvent(workspace);
  // Other workspaces share the transaction of an event.
  assert.deepEqual(await attemptsOf(workspace), []);
  assert.equal((await fanOuts()).length, 1);
  assert.equal((await change(changed, { events: ['template.status_updated'] })).status, 200);
  assert.equal((await workspace.api.request('DELETE', `/webhook-endpoints/${ended}`)).status, 204);
  await register(workspace);
  const [event] = await door.sql<{ id: string }>('select id from events where workspace_id = $1', [
    parseId('workspace', workspace.id),
  ]);
  const worker = await startWorker();
  await eventually(fanOuts, (jobs) => jobs.length === 0);
  const first = await eventually(
    async () => (await attemptsOf(workspace)).filter(({ event_id, attempt }) => event_id === event!.id && attempt < 2),
    (attempts) => attempts.filter(({ attempt }) => attempt === 0).length === 2,
  );
  assert.deepEqual(first.map(({ endpoint_id }) => publicId('webhook_endpoint', endpoint_id)).sort(), ids.toSorted());
  const skipped = first.filter(({ attempt }) => attempt === 0).map(({ endpoint_id }) => endpoint_id);
  assert.deepEqual(skipped.map((id) => publicId('webhook_endpoint', id)).sort(), [disabled, ended].sort());
  const arrived = () => receiver.arrivals.filter((arrival) => arrival.event.id === publicId('event', event!.id));
  await eventually(arrived, ({ length }) => length === 38);
  await worker.stop();
});

it('its deliveries are written in steps: a broken one is repeated, and those that are done are not', async () => {
  const workspace = await door.workspace();
  await register(workspace);
  await door.sql(
    `insert into webhook_endpoints (workspace_id, id, url, events, secret, created_at)
     select workspace_id, gen_random_uuid(), url, events, secret, created_at from webhook_endpoints, generate_series(2, 2500)
     where workspace_id = $1`,
    [parseId('workspace', workspace.id)],
  );
  await causeEvent(workspace);
  const [inSecondStep] = await door.sql<{ id: string }>(
    'select id from webhook_endpoints where workspace_id = $1 order by id offset 1500 limit 1',
    [parseId('workspace', workspace.id)],
  );
  const fails = {
    on: 'before insert on webhook_attempts',
    when: `new.endpoint_id = '${inSecondStep!.id}'`,
    body: `raise 'the process ends here';`,
  };
  const worker = await withTrigger(door, fails, async () => {
    const worker = await startWorker();
    const [job] = await eventually(fanOuts, ([job]) => job!.failures > 0);
    assert.equal(job!.steps_done, 1);
    assert.equal((await attemptsOf(workspace)).length, 1_000);
    return worker;
  });
  await eventually(fanOuts, (jobs) => jobs.length === 0);
  const written = await attemptsOf(workspace);
  assert.equal(new Set(written.map(({ endpoint_id }) => endpoint_id)).size, 2_500);
  await worker.stop();
});
