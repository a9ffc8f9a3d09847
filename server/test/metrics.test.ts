import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const receiver = await startWebhookReceiver();

/** Name and labels of each series that is ours, without its value. */
async function readSeries(): Promise<Set<string>> {
  const text = await (await fetch(`${majlis.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('majlis_'));
  return new Set(lines.map((line) => line.slice(0, line.lastIndexOf(' '))));
}

/** A bit of everything that is measured: requests to what is there and what is not, jobs, sends, reports and webhooks. */
async function use(workspace: TestWorkspace): Promise<void> {
  const { api } = workspace;
  const { status, body } = await api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  assert.equal(status, 201);
  const heard = receiver.arrivals.length;
  await receiveTexts(majlis, workspace, 1);
  await eventually(
    () => receiver.arrivals.length,
    (count) => count > heard,
  );
  const [conversation] = (await api.get('/conversations')).body.data;
  assert.equal((await api.post(`/conversations/${conversation.id}/messages`, { kind: 'text', body: 'a' })).status, 201);
  await api.get(`/webhook-endpoints/${body.id}/deliveries?cursor=${randomUUID()}`);
  for (const path of ['', '/conversations', '/messages', '/webhook-endpoints'])
    await api.get(`${path}/${randomUUID()}`);
  await fetch(`${majlis.url}/${randomUUID()}`, { headers: { authorization: `Bearer ${randomUUID()}` } });
}

async function useMany(count: number): Promise<void> {
  const workspaces = await Promise.all(Array.from({ length: count }, () => majlis.workspace()));
  for (const workspace of workspaces) await use(workspace);
  await eventually(
    () =>
      majlis.sql<{ open: number }>(
        `select count(*)::int as open from jobs where run_at <= now() or worker_id is not null`,
      ),
    ([row]) => row!.open + majlis.simulator.pending() === 0,
  );
}

// H105: whatever is a label's value for ever must come from a closed list.
it('the series are as many after thirty workspaces and their ids and paths as after three', async () => {
  await useMany(3);
  const before = await readSeries();
  assert.ok(before.size > 100);
  await useMany(27);
  // A job that is queued at this moment has series of its kind until it is done.
  await eventually(
    async () => [...(await readSeries()).difference(before)],
    ({ length }) => length === 0,
  );
  const labels = [...before, ...(await readSeries())].join('\n');
  assert.doesNotMatch(labels, /[0-9a-f]{8}-[0-9a-f]{4}-|_[0-9a-hjkmnp-tv-z]{26}"/i);
});
