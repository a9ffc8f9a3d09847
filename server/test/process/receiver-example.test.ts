import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';

const page = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');
const [, source] = /```js\n([\s\S]*?)```/.exec(page)!;

it('the receiver of docs/events.md takes what is genuine, once, and nothing else', async () => {
  const majlis = await startTestService();
  const workspace = await majlis.workspace();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const endpoint = (await workspace.api.post('/webhook-endpoints', { url, events: ['*'] })).body;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source!], {
    env: { ...process.env, WEBHOOK_SECRET: endpoint.secret, PORT: String(port) },
  });
  after(() => child.kill());
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  await eventually(
    () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 401,
  );
  await receiveTexts(majlis, workspace, 2);
  const attempts = await eventually(
    async () => (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data,
    (data) => data.length === 2,
  );
  assert.deepEqual(
    attempts.map(({ response_status }: { response_status: number }) => response_status),
    [204, 204],
  );
  const { event_id } = attempts[0];
  assert.deepEqual((await majlis.operator('POST', '/replays', { event_id })).body, { replayed: 1 });
  await eventually(
    async () => (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data,
    (data) => data.length === 3 && data[0].response_status === 204,
  );
  assert.equal(stdout.match(/message\.received/g)?.length, 2);
  const forged = { 'service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
  assert.equal((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status, 401);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
