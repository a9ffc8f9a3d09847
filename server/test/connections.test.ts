import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import { samples, sized, uploadFile } from '@majlis/testing/media';
import { openRequest } from '@majlis/testing/open-request';
import { operatorToken } from '@majlis/testing/operator';
import { startTestService } from '@majlis/testing/start-test-service';

const perAddress = 50;
const majlis = await startTestService({
  env: {
    REQUEST_TIMEOUT_SECONDS: '1',
    ANSWER_STALL_SECONDS: '3',
    CONNECTIONS_PER_ADDRESS: String(perAddress),
    RATE_LIMITS: 'off',
  },
});
const workspace = await majlis.workspace();
const json = 'Content-Type: application/json';
const authorized = [`Authorization: Bearer ${workspace.key}`, json];

describe('a request that never ends', () => {
  const send = 'POST /v1/messages HTTP/1.1';
  const requests: [string, number, string[], string][] = [
    ['in its head', 408, [send, 'X-Drip: 1'], 'X: 1\r\n'],
    ['in its body', 408, [send, ...authorized, 'Content-Length: 1000'], ' '],
    ['in its chunks', 408, [send, ...authorized, 'Transfer-Encoding: chunked'], '1\r\n \r\n'],
    [
      'at the operator’s door',
      408,
      ['PUT /operator/workspaces HTTP/1.1', `Authorization: Bearer ${operatorToken}`, json, 'Content-Length: 1000'],
      ' ',
    ],
    ['though it was answered before its body', 401, [send, json, 'Content-Length: 1000'], ' '],
  ];
  for (const [name, status, lines, drop] of requests) {
    it(`is ended ${name}`, async () => {
      const { socket, ended } = await openRequest(majlis.url, lines, { without_end: name === 'in its head' });
      const dripping = drip(() => socket.write(drop), 100);
      assert.match(await within(ended, 30_000, 'the request is ended'), new RegExp(`^HTTP/1.1 ${status} `));
      dripping.stop();
    });
  }

  it('leaves no error in the log', () => {
    assert.deepEqual(
      majlis.log.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    );
  });
});

describe('an answer', () => {
  // More than the buffers of both sockets hold.
  const bytes = 60_000_000;
  let path: string;
  before(async () => {
    const { body } = await uploadFile(majlis, workspace, sized(samples.pdf, bytes));
    path = `/v1/media/${body.id}`;
  });

  /** Reads 2 MB after each pause, and then to the end of the answer. */
  async function readWithPauses(pauses: number, pause_ms: number): Promise<number> {
    const request = [`GET ${path} HTTP/1.1`, ...authorized, 'Connection: close'];
    const { socket, ended } = await openRequest(majlis.url, request);
    for (let n = 0; n < pauses; n++) {
      socket.pause();
      await wait(pause_ms);
      const goal = socket.bytesRead + 2_000_000;
      socket.resume();
      await eventually(
        () => socket.closed || socket.bytesRead >= goal,
        (done) => done,
      );
    }
    await within(ended, 60_000, 'the answer has ended');
    return socket.bytesRead;
  }

  it('that is never read is given up', async () => {
    assert.ok((await readWithPauses(1, 8_000)) < bytes);
  });

  it('that is read slowly arrives whole', async () => {
    assert.ok((await readWithPauses(10, 500)) > bytes);
  });
});

describe('the connections of one address', () => {
  const dripping = (url: string, count: number) => {
    const lines = ['POST /v1/messages HTTP/1.1', ...authorized, 'Content-Length: 1000'];
    return Promise.all(Array.from({ length: count }, () => openRequest(url, lines)));
  };
  const me = ['GET /v1/me HTTP/1.1', ...authorized, 'Connection: close'];

  it('are bounded, and other addresses are served', async () => {
    const patient = await majlis.another({ REQUEST_TIMEOUT_SECONDS: '60' });
    const open = await dripping(patient.url, 4 * perAddress);
    const refused = await openRequest(patient.url, me);
    assert.equal(await within(refused.ended, 30_000, 'the connection is refused'), '');
    const served = await openRequest(patient.url, me, { from: '127.0.0.2' });
    assert.match(await within(served.ended, 30_000, 'the connection is served'), /^HTTP\/1.1 200 /);
    assert.equal(patient.log.filter((line) => line.includes('CONNECTIONS_PER_ADDRESS')).length, 1);
    for (const { socket } of open) socket.destroy();
    await eventually(
      async () => within((await openRequest(patient.url, me)).ended, 30_000, 'the connection is answered'),
      (answer) => answer.startsWith('HTTP/1.1 200 '),
    );
    await patient.stop();
  });

  it('of a trusted proxy are not, and its client is the one that it names', async () => {
    const behind = await majlis.another({ REQUEST_TIMEOUT_SECONDS: '60', TRUSTED_PROXIES: '127.0.0.0/8' });
    const open = await dripping(behind.url, 2 * perAddress);
    const { ended } = await openRequest(behind.url, me);
    assert.match(await within(ended, 30_000, 'the connection is served'), /^HTTP\/1.1 200 /);
    for (const { socket } of open) socket.destroy();
    await behind.stop();
  });
});
