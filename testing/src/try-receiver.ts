import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { receiveTexts } from './notifications.ts';
import { onceWithin } from './once-within.ts';
import type { TestService } from './start-test-service.ts';

const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
const [, source] = /```js\n([\s\S]*?)```/.exec(page)!;

/** Runs the receiver of docs/events.md with this Node.js: it must take what is genuine, once, and nothing else. */
export async function tryReceiver(majlis: TestService, node: string): Promise<void> {
  const workspace = await majlis.workspace();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const endpoint = (await workspace.api.post('/webhook-endpoints', { url, events: ['*'] })).body;
  const child = spawn(node, ['--input-type=module', '-e', source!], {
    env: { ...process.env, WEBHOOK_SECRET: endpoint.secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp('the receiver', () => child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const post = (headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: '{}', headers }).then(
      ({ status }) => status,
      () => 0,
    );
  await eventually(post, (status) => status === 401);
  await receiveTexts(majlis, workspace, 2);
  const list = async () => (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data;
  const attempts = await eventually(list, (data) => data.length === 2);
  assert.deepEqual(
    attempts.map(({ response_status }: { response_status: number }) => response_status),
    [204, 204],
  );
  const { event_id } = attempts[0];
  assert.deepEqual((await majlis.operator('POST', '/replays', { event_id })).body, { replayed: 1 });
  await eventually(list, (data) => data.length === 3 && data[0].response_status === 204);
  assert.equal(stdout.match(/message\.received/g)?.length, 2);

  // What a stranger may send: it must not end the receiver either.
  await hangUp(port);
  const now = Math.floor(Date.now() / 1000);
  for (const forged of ['0'.repeat(64), 'é'.repeat(64), '']) {
    assert.equal(await post({ 'service-signature': `t=${now},v1=${forged}` }), 401, forged);
  }
}

/** A client that leaves in the middle of its body. */
async function hangUp(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n');
  // The receiver has begun to read.
  await onceWithin(socket, 'data');
  socket.write('{');
  await onceWithin(socket.destroy(), 'close');
}
