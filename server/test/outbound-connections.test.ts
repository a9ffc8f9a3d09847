import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import {
  answeredOutcome,
  createTestPoster,
  failedOutcome,
  longLimits,
  shortLimits,
  withoutDuration,
} from '@majlis/testing/create-test-poster';
import { eventually } from '@majlis/testing/eventually';
import { createCertificate, startHttpServer, startHttpsServer, startTcpServer } from '@majlis/testing/test-servers';
import { createGuardedPoster, type GuardedPosterOptions } from '../src/outbound/post-guarded.ts';

describe('a secure connection', () => {
  const name = 'receiver.example';
  const lookup = async (): Promise<LookupAddress[]> => [{ address: '127.0.0.1', family: 4 }];
  const base = `https://${name}`;

  it('names the host of the URL and checks its certificate, though it goes to an address', async () => {
    const identity = createCertificate(name);
    const hosts: unknown[] = [];
    const receiver = await startHttpsServer(identity, (request, response) => {
      const servername = 'servername' in request.socket ? request.socket.servername : undefined;
      hosts.push(request.headers.host, servername);
      response.end();
    });
    const post = createTestPoster({ lookup, ca: identity.cert });
    assert.deepEqual(withoutDuration(await post(receiver.port, longLimits, { base })), answeredOutcome(200));
    assert.deepEqual(hosts, [`${name}:${receiver.port}`, name]);
  });

  it('is not made to a certificate that signs itself', async () => {
    const outcome = await postTo(createCertificate(name), {});
    assert.deepEqual(outcome, failedOutcome('no secure connection'));
  });

  it('is not made to a certificate for another name', async () => {
    const identity = createCertificate('other.example');
    assert.deepEqual(await postTo(identity, { ca: identity.cert }), failedOutcome('no secure connection'));
  });

  it('is not made to whoever speaks no TLS, or never ends its handshake', async () => {
    const post = createTestPoster({ lookup });
    const plain = await startHttpServer((_request, response) => response.end());
    assert.deepEqual(
      withoutDuration(await post(plain.port, longLimits, { base })),
      failedOutcome('no secure connection'),
    );
    const silent = await startTcpServer((socket) => socket.resume());
    assert.deepEqual(
      withoutDuration(await post(silent.port, shortLimits, { base })),
      failedOutcome('no whole answer in time'),
    );
  });

  async function postTo(identity: { key: string; cert: string }, options: GuardedPosterOptions) {
    let requests = 0;
    const receiver = await startHttpsServer(identity, (_request, response) => {
      requests += 1;
      response.end();
    });
    const outcome = await createTestPoster({ lookup, ...options })(receiver.port, longLimits, { base });
    assert.equal(requests, 0);
    return withoutDuration(outcome);
  }
});

describe('connections', () => {
  it('are used again for the same origin, without another look-up', async () => {
    let lookups = 0;
    const lookup = async (): Promise<LookupAddress[]> => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const receiver = await startHttpServer((_request, response) => response.end('ok'));
    const post = createTestPoster({ lookup });
    for (let call = 0; call < 20; call++) await post(receiver.port, longLimits, { base: 'http://receiver.example' });
    // The first one is not free again at once: a second may be opened, and then the two take turns.
    assert.ok(receiver.connections <= 2);
    assert.equal(lookups, receiver.connections);
  });

  it('are not used again for ever: a name that has moved away is noticed in the middle of deliveries', async () => {
    const receiver = await startHttpServer((_request, response) => response.end());
    let moved = false;
    // Nobody listens at the second address.
    const lookup = async (): Promise<LookupAddress[]> => [{ address: moved ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const post = createTestPoster({ lookup, max_age_ms: 500 });
    const deliver = () => post(receiver.port, longLimits, { base: 'http://receiver.example' });
    // All the connections that sequential calls need are there before the name moves.
    for (let call = 0; call < 10; call++) assert.equal((await deliver()).type, 'answered');
    moved = true;
    await eventually(deliver, (outcome) => outcome.type === 'failed');
  });

  it('try the addresses of a name one after another, whatever the number of one family', async () => {
    const nobody = Array.from({ length: 8 }, () => ({ address: '::1', family: 6 }));
    const lookup = async (): Promise<LookupAddress[]> => [...nobody, { address: '127.0.0.1', family: 4 }];
    const receiver = await startHttpServer((_request, response) => response.end());
    const outcome = await createTestPoster({ lookup })(receiver.port, longLimits, {
      base: 'http://receiver.example',
    });
    assert.deepEqual(withoutDuration(outcome), answeredOutcome(200));
  });

  it('that are idle make way when there are too many', async () => {
    const post = createTestPoster({ max_sockets: 2 });
    for (let origin = 0; origin < 5; origin++) {
      const receiver = await startHttpServer((_request, response) => response.end());
      assert.deepEqual(withoutDuration(await post(receiver.port)), answeredOutcome(200));
    }
  });

  it('are never more than allowed, and a call that finds none fails', async () => {
    const receiver = await startTcpServer((socket) => socket.resume());
    const post = createTestPoster({ max_sockets: 2 });
    const outcomes = await Promise.all([1, 2, 3].map(() => post(receiver.port, shortLimits)));
    assert.equal(receiver.connections, 2);
    assert.deepEqual(outcomes.filter((outcome) => outcome.type === 'failed').length, 3);
    assert.deepEqual(withoutDuration(outcomes[2]!), failedOutcome('no connection'));
  });

  it('to a receiver that hangs hold up no other call to the same origin', async () => {
    const receiver = await startHttpServer((request, response) => {
      if (request.headers['x-hang'] === undefined) response.end();
    });
    const post = createTestPoster();
    const hanging = Array.from({ length: 50 }, () => post(receiver.port, shortLimits, { headers: { 'x-hang': '1' } }));
    assert.deepEqual(withoutDuration(await post(receiver.port)), answeredOutcome(200));
    await Promise.all(hanging);
  });
});

describe('closing', () => {
  it('waits for calls under way, and fails later ones', async () => {
    const receiver = await startHttpServer((_request, response) => {
      setTimeout(() => response.end(), 100);
    });
    const poster = createGuardedPoster();
    const target = { url: `http://127.0.0.1:${receiver.port}/`, allow_private: true };
    const call = poster.post(target, {}, '', longLimits);
    await eventually(
      () => receiver.connections,
      (count) => count === 1,
    );
    const closing = poster.close();
    assert.equal((await call).type, 'answered');
    await closing;
    assert.equal((await poster.post(target, {}, '', longLimits)).type, 'failed');
    await eventually(
      () => receiver.open,
      (count) => count === 0,
    );
  });
});
