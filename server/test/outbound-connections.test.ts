import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it, type TestContext } from 'node:test';
import { answered, createPost, failed, long, short, withoutDuration } from '@majlis/testing/create-post';
import { eventually } from '@majlis/testing/eventually';
import { createIdentity, startRawReceiver, startReceiver, startSecureReceiver } from '@majlis/testing/start-receivers';
import { createGuardedPoster, type GuardedPosterOptions } from '../src/outbound/post-guarded.ts';

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
