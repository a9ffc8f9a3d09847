import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createGzip } from 'node:zlib';
import { countBytesRead } from '@majlis/testing/count-bytes-read';
import {
  answeredOutcome,
  createTestPoster,
  failedOutcome,
  longLimits,
  pathSecret,
  shortLimits,
  withoutDuration,
} from '@majlis/testing/create-test-poster';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import { onceWithin } from '@majlis/testing/once-within';
import { startHttpServer, startTcpServer } from '@majlis/testing/test-servers';

describe('an answer', () => {
  for (const status of [200, 201, 204, 299, 400, 404, 410, 429, 500, 503])
    it(`of ${status} is told as such`, async () => {
      const receiver = await startHttpServer((_request, response) => response.writeHead(status).end());
      assert.deepEqual(withoutDuration(await createTestPoster()(receiver.port)), answeredOutcome(status));
    });

  for (const status of [301, 302, 303, 307, 308])
    it(`of ${status} is not followed`, async () => {
      const trap = await startHttpServer((_request, response) => response.end());
      const receiver = await startHttpServer((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${trap.port}/`, refresh: '0' }).end(),
      );
      assert.deepEqual(withoutDuration(await createTestPoster()(receiver.port)), answeredOutcome(status));
      assert.equal(trap.connections, 0);
    });

  it('comes after the exact bytes and headers have arrived, and no others', async () => {
    let seen: unknown;
    const receiver = await startHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen = { method: request.method, url: request.url, headers: request.headers, body: `${Buffer.concat(chunks)}` };
      response.end();
    });
    const headers = { 'content-type': 'application/json', 'Service-Signature': 't=1,v1=aa' };
    await createTestPoster()(receiver.port, longLimits, { headers, body: '{"text":"مرحبا 👋"}' });
    assert.deepEqual(seen, {
      method: 'POST',
      url: `/${pathSecret}?token=${pathSecret}`,
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'service-signature': 't=1,v1=aa',
        'content-length': '26',
      },
      body: '{"text":"مرحبا 👋"}',
    });
  });

  it('is the last one where informational ones come before', async () => {
    const receiver = await startHttpServer((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end();
    });
    assert.deepEqual(withoutDuration(await createTestPoster()(receiver.port)), answeredOutcome(200));
  });
});

describe('a body of an answer', () => {
  it('without end is cut, and its status counts', async () => {
    const receiver = await startHttpServer((_request, response) => void flood(response));
    const bytesRead = countBytesRead(receiver.port);
    assert.deepEqual(withoutDuration(await createTestPoster()(receiver.port)), answeredOutcome(200));
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
    assert.ok(
      bytesRead() > longLimits.max_answer_bytes && bytesRead() < longLimits.max_answer_bytes + 3 * 65_536,
      `${bytesRead()}`,
    );
  });

  it('of 200 MiB under gzip is neither asked for nor inflated, fifty times at once', async () => {
    const bomb = await makeBomb(200);
    const encodings: unknown[] = [];
    const receiver = await startHttpServer((request, response) => {
      encodings.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    });
    const post = createTestPoster();
    const before = process.memoryUsage.rss();
    const limits = { ...longLimits, max_answer_bytes: 1_024 * 1_024 };
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => post(receiver.port, limits)));
    assert.ok(outcomes.every((outcome) => outcome.type === 'answered' && outcome.status === 200));
    assert.ok(process.memoryUsage.rss() - before < 200 * 1_024 * 1_024);
    assert.deepEqual(new Set(encodings), new Set([undefined]));
  });

  it('that drips past the deadline is a failure, though its head came in time', async () => {
    const receiver = await startHttpServer((_request, response) => dripBody(response));
    assert.deepEqual(
      withoutDuration(await createTestPoster()(receiver.port, shortLimits)),
      failedOutcome('no whole answer in time'),
    );
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
  });

  it('that breaks off is a failure', async () => {
    const receiver = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      response.once('drain', () => response.destroy());
      setImmediate(() => response.destroy());
    });
    assert.deepEqual(
      withoutDuration(await createTestPoster()(receiver.port)),
      failedOutcome('an answer that was cut short'),
    );
  });
});

describe('a receiver', () => {
  const slow: Record<string, (socket: Socket) => void> = {
    'reads and never answers': (socket) => socket.resume(),
    // A socket that reads nothing does not hear of its end either.
    'reads too late': (socket) => {
      socket.pause();
      setTimeout(() => socket.resume(), 600);
    },
    'answers after the deadline': (socket) => {
      socket.once('data', () => setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 600));
    },
    'drips the head of its answer': (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n'));
      const { stop } = drip(() => socket.write('x-a: b\r\n'), 50);
      socket.once('close', stop);
    },
    'stops in the middle of the head': (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n'));
    },
  };
  for (const [what, talk] of Object.entries(slow))
    it(`that ${what} is given up at the deadline, and its connection closed`, async () => {
      const receiver = await startTcpServer(talk);
      const body = 'a'.repeat(8 * 1_024 * 1_024);
      const outcome = await createTestPoster()(receiver.port, shortLimits, { body });
      assert.deepEqual(withoutDuration(outcome), failedOutcome('no whole answer in time'));
      assert.ok(outcome.duration_ms >= shortLimits.timeout_ms);
      await eventually(
        () => receiver.open,
        (count) => count === 0,
      );
    });

  const broken: Record<string, (socket: Socket) => void> = {
    'resets at once': (socket) => socket.resetAndDestroy(),
    'resets once it has read': (socket) => socket.once('data', () => socket.resetAndDestroy()),
    'closes once it has read': (socket) => socket.once('data', () => socket.end()),
    'speaks no HTTP': (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    'answers with a header without end': (socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nx-a: ');
        void flood(socket);
      }),
    'answers with hints without end': (socket) =>
      socket.once('data', () => void flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)))),
    'wants another protocol': (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    'frames its answer in two ways': (socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      ),
  };
  for (const [what, talk] of Object.entries(broken))
    it(`that ${what} is a failure long before the deadline`, async () => {
      const receiver = await startTcpServer(talk);
      const outcome = await createTestPoster()(receiver.port);
      assert.equal(outcome.type, 'failed');
      assert.ok(outcome.duration_ms < longLimits.timeout_ms / 2);
      await eventually(
        () => receiver.open,
        (count) => count === 0,
      );
    });

  it('that does not listen is a failure', async () => {
    assert.deepEqual(withoutDuration(await createTestPoster()(1)), failedOutcome('no connection'));
  });
});

describe('a header', () => {
  const refused: Record<string, string>[] = [
    { 'x-a': 'b\r\nx-injected: 1' },
    { 'x-a': 'b\nx-injected: 1' },
    { 'x-a': 'b\u0000' },
    { 'x-a': 'b\u010a' },
    { 'x-a\r\nx-injected': '1' },
    { 'x a': '1' },
    { '': '1' },
    { host: 'inner.example' },
    { Host: 'inner.example' },
    { 'content-length': '1' },
    { 'transfer-encoding': 'chunked' },
    { connection: 'upgrade' },
    { 'accept-encoding': 'gzip' },
  ];
  it('that would say more than its name is not sent, and nothing with it', async () => {
    const receiver = await startHttpServer((_request, response) => response.end());
    const post = createTestPoster();
    for (const headers of refused)
      assert.deepEqual(
        withoutDuration(await post(receiver.port, longLimits, { headers })),
        failedOutcome('a header that cannot be sent'),
        JSON.stringify(headers),
      );
    assert.equal(receiver.connections, 0);
  });
});

/** Writes for as long as somebody reads. */
async function flood(to: ServerResponse | Socket, chunk = Buffer.alloc(64 * 1_024, 'a')): Promise<void> {
  const closed = onceWithin(to, 'close', 60_000).catch(() => undefined);
  while (!to.destroyed) {
    if (!to.write(chunk)) await Promise.race([onceWithin(to, 'drain').catch(() => undefined), closed]);
  }
}

function dripBody(response: ServerResponse) {
  response.writeHead(200);
  const { stop } = drip(() => response.write('.'), 50);
  response.once('close', stop);
}

async function makeBomb(mebibytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const zeros = Buffer.alloc(1_024 * 1_024);
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let index = 0; index < mebibytes; index++) if (!gzip.write(zeros)) await onceWithin(gzip, 'drain');
  gzip.end();
  await onceWithin(gzip, 'end');
  return Buffer.concat(chunks);
}
