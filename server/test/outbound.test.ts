import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createGzip } from 'node:zlib';
import {
  createGuardedPoster,
  type GuardedPosterOptions,
  type PostLimits,
  type PostOutcome,
} from '../src/outbound/post-guarded.ts';
import { eventually } from './support/eventually.ts';
import { createIdentity, startRawReceiver, startReceiver, startSecureReceiver } from './support/start-receivers.ts';

const long = { timeout_ms: 20_000, max_answer_bytes: 64 * 1_024 };
const short = { ...long, timeout_ms: 300 };
const SECRET = 'secret-in-the-path';

/** Posts to a port of this machine, under an address that holds a secret which no outcome may repeat. */
function createPost(t: Pick<TestContext, 'after'>, options: GuardedPosterOptions = {}) {
  const poster = createGuardedPoster(options);
  t.after(() => poster.close());
  return async (port: number, limits: PostLimits = long, request: Partial<PostRequest> = {}): Promise<PostOutcome> => {
    const { headers = { 'content-type': 'application/json' }, body = '{}', base = 'http://127.0.0.1' } = request;
    const url = `${base}:${port}/${SECRET}?token=${SECRET}`;
    const outcome = await poster.post({ url, allow_private: true }, headers, body, limits);
    assert.ok(!JSON.stringify(outcome).includes(SECRET));
    assert.ok(Number.isInteger(outcome.duration_ms));
    return outcome;
  };
}

interface PostRequest {
  headers: Record<string, string>;
  body: string;
  base: string;
}

const failed = (reason: string) => ({ type: 'failed', reason });
const answered = (status: number) => ({ type: 'answered', status });

function withoutDuration({ duration_ms, ...outcome }: PostOutcome) {
  return outcome;
}

describe('an answer', () => {
  for (const status of [200, 201, 204, 299, 400, 404, 410, 429, 500, 503])
    it(`of ${status} is told as such`, async (t) => {
      const receiver = await startReceiver(t, (_request, response) => response.writeHead(status).end());
      assert.deepEqual(withoutDuration(await createPost(t)(receiver.port)), answered(status));
    });

  for (const status of [301, 302, 303, 307, 308])
    it(`of ${status} is not followed`, async (t) => {
      const trap = await startReceiver(t, (_request, response) => response.end());
      const receiver = await startReceiver(t, (_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${trap.port}/`, refresh: '0' }).end(),
      );
      assert.deepEqual(withoutDuration(await createPost(t)(receiver.port)), answered(status));
      assert.equal(trap.connections, 0);
    });

  it('comes after the exact bytes and headers have arrived, and no others', async (t) => {
    let seen: unknown;
    const receiver = await startReceiver(t, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen = { method: request.method, url: request.url, headers: request.headers, body: `${Buffer.concat(chunks)}` };
      response.end();
    });
    const headers = { 'content-type': 'application/json', 'Service-Signature': 't=1,v1=aa' };
    await createPost(t)(receiver.port, long, { headers, body: '{"text":"مرحبا 👋"}' });
    assert.deepEqual(seen, {
      method: 'POST',
      url: `/${SECRET}?token=${SECRET}`,
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

  it('is the last one where informational ones come before', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end();
    });
    assert.deepEqual(withoutDuration(await createPost(t)(receiver.port)), answered(200));
  });
});

describe('a body of an answer', () => {
  it('without end is cut, and its status counts', async (t) => {
    let written = 0;
    const receiver = await startReceiver(t, async (_request, response) => {
      written = await flood(response);
    });
    assert.deepEqual(withoutDuration(await createPost(t)(receiver.port)), answered(200));
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
    assert.ok(written < 64 * 1_024 * 1_024);
  });

  it('of 200 MiB under gzip is neither asked for nor inflated, fifty times at once', async (t) => {
    const bomb = await makeBomb(200);
    const encodings: unknown[] = [];
    const receiver = await startReceiver(t, (request, response) => {
      encodings.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    });
    const post = createPost(t);
    const before = process.memoryUsage.rss();
    const limits = { ...long, max_answer_bytes: 1_024 * 1_024 };
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => post(receiver.port, limits)));
    assert.ok(outcomes.every((outcome) => outcome.type === 'answered' && outcome.status === 200));
    assert.ok(process.memoryUsage.rss() - before < 200 * 1_024 * 1_024);
    assert.deepEqual(new Set(encodings), new Set([undefined]));
  });

  it('that drips past the deadline is a failure, though its head came in time', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => drip(response));
    assert.deepEqual(withoutDuration(await createPost(t)(receiver.port, short)), failed('no whole answer in time'));
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
  });

  it('that breaks off is a failure', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      response.once('drain', () => response.destroy());
      setImmediate(() => response.destroy());
    });
    assert.deepEqual(withoutDuration(await createPost(t)(receiver.port)), failed('an answer that was cut short'));
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
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    },
    'stops in the middle of the head': (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n'));
    },
  };
  for (const [what, talk] of Object.entries(slow))
    it(`that ${what} is given up at the deadline, and its connection closed`, async (t) => {
      const receiver = await startRawReceiver(t, talk);
      const body = 'a'.repeat(8 * 1_024 * 1_024);
      const outcome = await createPost(t)(receiver.port, short, { body });
      assert.deepEqual(withoutDuration(outcome), failed('no whole answer in time'));
      assert.ok(outcome.duration_ms >= short.timeout_ms);
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
    it(`that ${what} is a failure long before the deadline`, async (t) => {
      const receiver = await startRawReceiver(t, talk);
      const outcome = await createPost(t)(receiver.port);
      assert.equal(outcome.type, 'failed');
      assert.ok(outcome.duration_ms < long.timeout_ms / 2);
      await eventually(
        () => receiver.open,
        (count) => count === 0,
      );
    });

  it('that does not listen is a failure', async (t) => {
    assert.deepEqual(withoutDuration(await createPost(t)(1)), failed('no connection'));
  });
});

describe('a secure connection', () => {
  const name = 'receiver.example';
  const lookup = async (): Promise<LookupAddress[]> => [{ address: '127.0.0.1', family: 4 }];
  const base = `https://${name}`;

  it('names the host of the URL and checks its certificate, though it goes to an address', async (t) => {
    const identity = createIdentity(name);
    const hosts: unknown[] = [];
    const receiver = await startSecureReceiver(t, identity, (request, response) => {
      const servername = 'servername' in request.socket ? request.socket.servername : undefined;
      hosts.push(request.headers.host, servername);
      response.end();
    });
    const post = createPost(t, { lookup, ca: identity.cert });
    assert.deepEqual(withoutDuration(await post(receiver.port, long, { base })), answered(200));
    assert.deepEqual(hosts, [`${name}:${receiver.port}`, name]);
  });

  it('is not made to a certificate that signs itself', async (t) => {
    const outcome = await postTo(t, createIdentity(name), {});
    assert.deepEqual(outcome, failed('no secure connection'));
  });

  it('is not made to a certificate for another name', async (t) => {
    const identity = createIdentity('other.example');
    assert.deepEqual(await postTo(t, identity, { ca: identity.cert }), failed('no secure connection'));
  });

  it('is not made to whoever speaks no TLS, or never ends its handshake', async (t) => {
    const post = createPost(t, { lookup });
    const plain = await startReceiver(t, (_request, response) => response.end());
    assert.deepEqual(withoutDuration(await post(plain.port, long, { base })), failed('no secure connection'));
    const silent = await startRawReceiver(t, (socket) => socket.resume());
    assert.deepEqual(withoutDuration(await post(silent.port, short, { base })), failed('no whole answer in time'));
  });

  async function postTo(t: TestContext, identity: { key: string; cert: string }, options: GuardedPosterOptions) {
    let requests = 0;
    const receiver = await startSecureReceiver(t, identity, (_request, response) => {
      requests += 1;
      response.end();
    });
    const outcome = await createPost(t, { lookup, ...options })(receiver.port, long, { base });
    assert.equal(requests, 0);
    return withoutDuration(outcome);
  }
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
  it('that would say more than its name is not sent, and nothing with it', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => response.end());
    const post = createPost(t);
    for (const headers of refused)
      assert.deepEqual(
        withoutDuration(await post(receiver.port, long, { headers })),
        failed('a header that cannot be sent'),
        JSON.stringify(headers),
      );
    assert.equal(receiver.connections, 0);
  });
});

describe('connections', () => {
  it('are used again for the same origin, without another look-up', async (t) => {
    let lookups = 0;
    const lookup = async (): Promise<LookupAddress[]> => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const receiver = await startReceiver(t, (_request, response) => response.end('ok'));
    const post = createPost(t, { lookup });
    for (let call = 0; call < 20; call++) await post(receiver.port, long, { base: 'http://receiver.example' });
    // The first one is not free again at once: a second may be opened, and then the two take turns.
    assert.ok(receiver.connections <= 2);
    assert.equal(lookups, receiver.connections);
  });

  it('are not used again for ever: a name that has moved away is noticed in the middle of deliveries', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => response.end());
    let moved = false;
    // Nobody listens at the second address.
    const lookup = async (): Promise<LookupAddress[]> => [{ address: moved ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const post = createPost(t, { lookup, max_age_ms: 500 });
    const deliver = () => post(receiver.port, long, { base: 'http://receiver.example' });
    // All the connections that sequential calls need are there before the name moves.
    for (let call = 0; call < 10; call++) assert.equal((await deliver()).type, 'answered');
    moved = true;
    await eventually(deliver, (outcome) => outcome.type === 'failed');
  });

  it('try the addresses of a name one after another, whatever the number of one family', async (t) => {
    const nobody = Array.from({ length: 8 }, () => ({ address: '::1', family: 6 }));
    const lookup = async (): Promise<LookupAddress[]> => [...nobody, { address: '127.0.0.1', family: 4 }];
    const receiver = await startReceiver(t, (_request, response) => response.end());
    const outcome = await createPost(t, { lookup })(receiver.port, long, { base: 'http://receiver.example' });
    assert.deepEqual(withoutDuration(outcome), answered(200));
  });

  it('that are idle make way when there are too many', async (t) => {
    const post = createPost(t, { max_sockets: 2 });
    for (let origin = 0; origin < 5; origin++) {
      const receiver = await startReceiver(t, (_request, response) => response.end());
      assert.deepEqual(withoutDuration(await post(receiver.port)), answered(200));
    }
  });

  it('are never more than allowed, and a call that finds none fails', async (t) => {
    const receiver = await startRawReceiver(t, (socket) => socket.resume());
    const post = createPost(t, { max_sockets: 2 });
    const outcomes = await Promise.all([1, 2, 3].map(() => post(receiver.port, short)));
    assert.equal(receiver.connections, 2);
    assert.deepEqual(outcomes.filter((outcome) => outcome.type === 'failed').length, 3);
    assert.deepEqual(withoutDuration(outcomes[2]!), failed('no connection'));
  });

  it('to a receiver that hangs hold up no other call to the same origin', async (t) => {
    const receiver = await startReceiver(t, (request, response) => {
      if (request.headers['x-hang'] === undefined) response.end();
    });
    const post = createPost(t);
    const hanging = Array.from({ length: 50 }, () => post(receiver.port, short, { headers: { 'x-hang': '1' } }));
    assert.deepEqual(withoutDuration(await post(receiver.port)), answered(200));
    await Promise.all(hanging);
  });
});

describe('closing', () => {
  it('waits for calls under way, and fails later ones', async (t) => {
    const receiver = await startReceiver(t, (_request, response) => {
      setTimeout(() => response.end(), 100);
    });
    const poster = createGuardedPoster();
    const target = { url: `http://127.0.0.1:${receiver.port}/`, allow_private: true };
    const call = poster.post(target, {}, '', long);
    await eventually(
      () => receiver.connections,
      (count) => count === 1,
    );
    const closing = poster.close();
    assert.equal((await call).type, 'answered');
    await closing;
    assert.equal((await poster.post(target, {}, '', long)).type, 'failed');
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
  });
});

/** Writes for as long as somebody reads; tells how much was written. */
async function flood(to: ServerResponse | Socket, chunk = Buffer.alloc(64 * 1_024, 'a')): Promise<number> {
  let written = 0;
  const closed = once(to, 'close').catch(() => undefined);
  while (!to.destroyed) {
    written += chunk.length;
    if (!to.write(chunk)) await Promise.race([once(to, 'drain').catch(() => undefined), closed]);
  }
  return written;
}

function drip(response: ServerResponse) {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 50);
  response.once('close', () => clearInterval(timer));
}

async function makeBomb(mebibytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const zeros = Buffer.alloc(1_024 * 1_024);
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let index = 0; index < mebibytes; index++) if (!gzip.write(zeros)) await once(gzip, 'drain');
  gzip.end();
  await once(gzip, 'end');
  return Buffer.concat(chunks);
}
