import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { onceWithin } from '@majlis/testing/once-within';
import { acceptedUrls, refusedUrls } from '@majlis/testing/refused-urls';
import { type DnsAnswer, type DnsQuestion, startNameServer } from '@majlis/testing/start-name-server';
import { checkUrl } from '../src/outbound/check-url.ts';
import { createLookup } from '../src/outbound/lookup-addresses.ts';
import { createGuardedPoster } from '../src/outbound/post-guarded.ts';

const limits = { timeout_ms: 20_000, max_answer_bytes: 1_024 };
const blocked = { type: 'blocked', reason: 'an address that may not be called', duration_ms: 0 };
const notPublic = { ok: false, reason: 'must be an address on the public internet' };
const PUBLIC_IPV4 = '1.1.1.1';
const PUBLIC_IPV6 = '2606:4700:4700::1111';

async function neverAsked(): Promise<never> {
  throw new Error('a refused URL was looked up');
}

describe('an address that is not on the public internet', () => {
  const urls = Object.values(refusedUrls).flat();
  const poster = createGuardedPoster({ lookup: neverAsked });

  it('is spelled in more than 80 ways', () => {
    assert.ok(new Set(urls).size > 80);
  });

  for (const [disguise, each] of Object.entries(refusedUrls))
    it(`is refused and not called: ${disguise}`, async () => {
      for (const url of each) {
        assert.equal((await checkUrl(url, { allow_private: false, lookup: neverAsked })).ok, false, url);
        assert.deepEqual(await poster.post({ url, allow_private: false }, {}, '', limits), blocked, url);
      }
    });
});

describe('an address on the public internet', () => {
  it('is accepted in every spelling, its name unresolved or not', async () => {
    for (const answer of [[], [{ address: PUBLIC_IPV4, family: 4 }]])
      for (const url of acceptedUrls) {
        const checked = await checkUrl(url, { allow_private: false, lookup: async () => answer });
        assert.deepEqual(checked, { ok: true }, url);
      }
  });

  it('is accepted with a name in any script, and soon where its servers are silent', async () => {
    const { servers } = await startNameServer(() => 'silence');
    const options = { allow_private: false, lookup: createLookup({ servers, first_wait_ms: 100 }), timeout_ms: 10 };
    for (const url of ['https://bücher.example/', 'https://موقع.example/'])
      assert.deepEqual(await checkUrl(url, options), { ok: true }, url);
  });
});

describe('where private addresses are allowed', () => {
  it('takes http, private addresses, single names and any port', async () => {
    for (const url of [
      'http://127.0.0.1:3000/',
      'http://localhost/',
      'http://[::1]:9/',
      'https://10.0.0.1:22/',
      'http://receiver:80/',
    ])
      assert.deepEqual(await checkUrl(url, { allow_private: true, lookup: neverAsked }), { ok: true }, url);
  });

  it('takes no other scheme, no user, no port 0, no host that is none', async () => {
    for (const url of [
      'ftp://receiver/',
      'http://user@receiver/',
      'http://receiver:0/',
      'http://receiver./',
      'http:///',
    ])
      assert.equal((await checkUrl(url, { allow_private: true, lookup: neverAsked })).ok, false, url);
  });
});

describe('a name', () => {
  const privateAnswers: Record<string, DnsAnswer> = {
    loopback: ['127.0.0.1'],
    'loopback in IPv6 only': ['::1'],
    metadata: ['169.254.169.254'],
    'a private address behind a public one': [PUBLIC_IPV4, '10.0.0.1'],
    'a private address before a public one': ['192.168.0.1', PUBLIC_IPV4],
    'a public address and a private one of the other family': [PUBLIC_IPV4, 'fd00::1'],
    'a public IPv6 address and loopback': [PUBLIC_IPV6, '127.0.0.1'],
    'an IPv4 address within IPv6': ['::ffff:7f00:1'],
    'IPv4 behind a translator': ['64:ff9b::a9fe:a9fe'],
  };
  for (const [title, answer] of Object.entries(privateAnswers))
    it(`that resolves to ${title} is refused and not called`, async () => {
      const { servers } = await startNameServer(() => answer);
      const lookup = createLookup({ servers });
      const url = 'https://receiver.example/';
      assert.deepEqual(await checkUrl(url, { allow_private: false, lookup }), notPublic);
      const poster = createGuardedPoster({ lookup });
      cleanUp('a poster', () => poster.close());
      assert.deepEqual(await poster.post({ url, allow_private: false }, {}, '', limits), blocked);
    });

  it('that resolves to public addresses of both families is accepted', async () => {
    const { servers } = await startNameServer(() => [PUBLIC_IPV4, PUBLIC_IPV6]);
    const lookup = createLookup({ servers });
    assert.deepEqual(await checkUrl('https://receiver.example/', { allow_private: false, lookup }), { ok: true });
  });

  for (const answer of ['unknown', 'failure', []] as DnsAnswer[])
    it(`that does not resolve yet (${answer || 'no addresses'}) is accepted, and a call to it fails`, async () => {
      const { servers } = await startNameServer(() => answer);
      const lookup = createLookup({ servers });
      const url = 'https://receiver.example/';
      assert.deepEqual(await checkUrl(url, { allow_private: false, lookup }), { ok: true });
      const poster = createGuardedPoster({ lookup });
      cleanUp('a poster', () => poster.close());
      const outcome = await poster.post({ url, allow_private: false }, {}, '', limits);
      assert.deepEqual({ ...outcome, duration_ms: 0 }, { ...unresolved, duration_ms: 0 });
    });

  it('whose server is silent fails a call at its deadline', async () => {
    const { servers } = await startNameServer(() => 'silence');
    const poster = createGuardedPoster({ lookup: createLookup({ servers }) });
    cleanUp('a poster', () => poster.close());
    const target = { url: 'https://receiver.example/', allow_private: false };
    const outcome = await poster.post(target, {}, '', { ...limits, timeout_ms: 200 });
    assert.deepEqual(
      { ...outcome, duration_ms: 0 },
      { type: 'failed', reason: 'no whole answer in time', duration_ms: 0 },
    );
  });
});

const unresolved = { type: 'failed', reason: 'a name that could not be resolved' };

describe('a name that changes its mind', () => {
  it('is public when it is registered and private when it is called: it is not called', async () => {
    const trap = await startTrap();
    const { servers } = await startNameServer(flip([[PUBLIC_IPV4], ['127.0.0.1']]));
    const lookup = createLookup({ servers });
    const url = `https://receiver.example:${trap.port}/`;
    assert.deepEqual(await checkUrl(url, { allow_private: false, lookup }), { ok: true });
    const poster = createGuardedPoster({ lookup });
    cleanUp('a poster', () => poster.close());
    assert.deepEqual(await poster.post({ url, allow_private: false }, {}, '', limits), blocked);
    assert.equal(trap.connections, 0);
  });

  it('with every question: a listener behind it is never reached, and every refusal is the same', async () => {
    const trap = await startTrap();
    const answers = [['127.0.0.1'], ['::1'], [PUBLIC_IPV4, '127.0.0.1'], [PUBLIC_IPV6, '::1'], ['169.254.169.254']];
    const { servers, questions } = await startNameServer(flip(answers));
    const poster = createGuardedPoster({ lookup: createLookup({ servers }) });
    cleanUp('a poster', () => poster.close());
    for (let round = 0; round < 50; round++) {
      const calls = Array.from({ length: 20 }, (_, index) => {
        const target = { url: `https://r${index}.example:${trap.port}/`, allow_private: false };
        return poster.post(target, {}, '', limits);
      });
      for (const outcome of await Promise.all(calls)) assert.deepEqual(outcome, blocked);
    }
    assert.equal(trap.connections, 0);
    assert.ok(questions.length >= 2 * 20 * 50);
  });

  it('between the check and the connection is asked once, and what was checked is what is called', async () => {
    const trap = await startTrap();
    const { servers, questions } = await startNameServer(({ type }, asked) =>
      type === 'AAAA' ? [] : asked <= 2 ? ['127.0.0.1'] : ['169.254.169.254'],
    );
    const poster = createGuardedPoster({ lookup: createLookup({ servers }) });
    cleanUp('a poster', () => poster.close());
    const target = { url: `http://receiver.example:${trap.port}/`, allow_private: true };
    await poster.post(target, {}, '', { ...limits, timeout_ms: 300 });
    assert.equal(trap.connections, 1);
    assert.deepEqual(questions.map(({ type }) => type).sort(), ['A', 'AAAA']);
  });
});

/** The next answer with each look-up of a name: its two questions are answered alike. */
function flip(answers: string[][]): (question: DnsQuestion) => DnsAnswer {
  const asked = new Map<string, number>();
  return ({ name, type }) => {
    const times = (asked.get(name + type) ?? 0) + 1;
    asked.set(name + type, times);
    return answers[(times - 1) % answers.length]!;
  };
}

/** Counts who connects, on both families, and says nothing. */
async function startTrap(): Promise<{ port: number; readonly connections: number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
  }).listen(0);
  await onceWithin(server, 'listening');
  cleanUp('a server', () => server.close());
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    port: address.port,
    get connections() {
      return connections;
    },
  };
}
