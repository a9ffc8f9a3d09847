import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { createAuthenticator } from '@majlis/testing/authenticator';
import { eventually } from '@majlis/testing/eventually';
import { holdThreadPool } from '@majlis/testing/hold-thread-pool';
import { type Browser, joinWorkspace, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { Secret, TOTP } from 'otpauth';

const majlis = await startTestService({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const workspace = await majlis.workspace();

let hashes = 0;
createHook({
  init(_, type) {
    if (/argon2/i.test(type)) hashes++;
  },
}).enable();

const wrong = 'a wrong password';
const from = (address: string) => ({ 'x-forwarded-for': address });

/** Tries to sign in from an address, in a browser of its own or in a given one. */
async function tryFrom(address: string, body: object, browser: Browser = openBrowser(majlis), path = '/sign-in') {
  return browser.request('POST', path, body, from(address));
}

async function waitingPasswords(): Promise<number> {
  const text = await (await fetch(`${majlis.url}/metrics`)).text();
  return Number(/^majlis_passwords_waiting (\d+)$/m.exec(text)![1]);
}

let people = 0;

/** A person who joined from an address of their own. Answers the cookies of their browser without the session. */
async function newPerson(): Promise<{ email: string; device: Browser }> {
  const email = `guarded${++people}@acme.example`;
  const order = { kind: 'invitation', workspace: workspace.applied.workspace.name, email, role: 'agent' };
  const device = openBrowser(majlis);
  const body = { token: await makeToken(majlis, order), name: 'Guarded', password };
  const joined = await tryFrom(`10.9.0.${people}`, body, device, '/invitations/accept');
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  device.cookies.delete('majlis_session');
  return { email, device };
}

interface Flood {
  /** How many were refused because too many wait. */
  refused(): number;
  hangUp(): void;
  ended: Promise<unknown>;
}

/** Wrong sign-ins at unknown addresses, so many from each client's address. */
function flood(addresses: readonly string[], each: number): Flood {
  const controller = new AbortController();
  let refused = 0;
  const requests = addresses.flatMap((address, at) =>
    Array.from({ length: each }, async (_, n) => {
      const response = await fetch(`${majlis.url}/console/v1/sign-in`, {
        method: 'POST',
        headers: { ...from(address), 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ email: `nobody${at}.${n}@acme.example`, password: wrong }),
        signal: controller.signal,
      });
      if (response.status !== 503) return;
      refused++;
      assert.ok(Number(response.headers.get('retry-after')) > 0);
    }),
  );
  return { refused: () => refused, hangUp: () => controller.abort(), ended: Promise.allSettled(requests) };
}

describe('a flood of wrong sign-ins', () => {
  it('of clients that hang up costs nothing more, and nobody else waits behind it', async () => {
    const { email } = await newPerson();
    const attack = flood(['10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4'], 55);
    // 20 of each address wait, and the others are refused at once.
    await eventually(attack.refused, (count) => count >= 4 * 30);
    attack.hangUp();
    await attack.ended;
    const before = hashes;
    for (let n = 1; n <= 8; n++) assert.equal((await tryFrom(`10.2.0.${n}`, { email, password })).status, 200);
    assert.ok(hashes - before <= 8 + 5, `${hashes - before} passwords were hashed for 8 sign-ins`);
  });

  it('of clients that wait gives each address a turn', async () => {
    const { email } = await newPerson();
    const releaseThreads = holdThreadPool();
    const attack = flood(['10.3.0.1', '10.3.0.2', '10.3.0.3'], 55);
    await eventually(attack.refused, (count) => count >= 3 * 30);
    const queued = await waitingPasswords();
    const before = hashes;
    const signIn = tryFrom('10.4.0.1', { email, password });
    await eventually(waitingPasswords, (count) => count === queued + 1);
    releaseThreads();
    assert.equal((await signIn).status, 200);
    assert.ok(hashes - before <= 6, `${hashes - before} passwords were hashed before`);
    attack.hangUp();
    await attack.ended;
  });

  it('that fills the queue keeps out strangers, and nobody at a device that the account knows', async () => {
    const { email, device } = await newPerson();
    const addresses = Array.from({ length: 8 }, (_, n) => `10.5.0.${n}`);
    const attack = flood(addresses, 30);
    await eventually(attack.refused, (count) => count >= 8 * 30 - 120);
    const [stranger, known] = await Promise.all([
      tryFrom('10.6.0.1', { email, password }),
      tryFrom('10.6.0.2', { email, password }, device),
    ]);
    assert.equal(known.status, 200);
    assert.ok([200, 503].includes(stranger.status), String(stranger.status));
    attack.hangUp();
    await attack.ended;
  });
});

describe('guesses at a password', () => {
  it('are counted together at every door that checks one', async () => {
    const { email } = await newPerson();
    const order = { kind: 'invitation', workspace: (await majlis.workspace()).applied.workspace.name, email };
    const token = await makeToken(majlis, { ...order, role: 'agent' });
    const guesses = [];
    for (let n = 0; n < 5; n++) {
      guesses.push(await tryFrom('10.7.0.1', { email, password: wrong }));
      guesses.push(await tryFrom('10.7.0.1', { token, password: wrong }, openBrowser(majlis), '/invitations/accept'));
    }
    assert.deepEqual(new Set(guesses.map(({ status }) => status)), new Set([401]));
    assert.equal((await tryFrom('10.7.0.1', { email, password })).status, 429);
    const accepted = await tryFrom('10.7.0.1', { token, password }, openBrowser(majlis), '/invitations/accept');
    assert.equal(accepted.status, 429);
  });

  it('of a stranger do not lock out the person at the same address, whose device the account knows', async () => {
    const [{ email, device }, other] = [await newPerson(), await newPerson()];
    for (let n = 0; n < 10; n++) await tryFrom('10.7.0.2', { email, password: wrong });
    assert.equal((await tryFrom('10.7.0.2', { email, password })).status, 429);
    assert.equal((await tryFrom('10.7.0.2', { email, password }, other.device)).status, 429, 'of another account');
    assert.equal((await tryFrom('10.7.0.2', { email, password }, device)).status, 200);
    device.cookies.delete('majlis_session');
    const statuses = [];
    for (let n = 0; n < 10; n++) statuses.push((await tryFrom('10.7.0.3', { email, password: wrong }, device)).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  });
});

it('codes of an app are guessed at most 20 times in a quarter of an hour, from anywhere', async () => {
  const person = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const { body: setup } = await person.post('/totp');
  const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
  const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp: now });
  assert.equal((await person.request('PUT', '/totp', { code })).status, 200);
  const halfway = openBrowser(majlis);
  const begun = await tryFrom('10.10.0.0', { email: person.email, password }, halfway);
  assert.equal(begun.body.state, 'second_factor');
  const statuses = [];
  for (let n = 1; n <= 20; n++) {
    statuses.push((await tryFrom(`10.10.0.${n}`, { code: '000000' }, halfway, '/sign-in/code')).status);
  }
  // The setting up was the first of them.
  assert.deepEqual([new Set(statuses.slice(0, 19)), statuses.at(-1)], [new Set([401]), 429]);
});

it('attempts are counted for the network and the site of an IPv6 client', async () => {
  const read = (address: string) => tryFrom(address, { token: 'nothing' }, openBrowser(majlis), '/links/read');
  const inNetwork = [];
  for (let n = 1; n <= 61; n++) inNetwork.push((await read(`2001:db8:1:1::${n.toString(16)}`)).status);
  assert.deepEqual([new Set(inNetwork.slice(0, 60)), inNetwork.at(-1)], [new Set([404]), 429]);
  const forgot = { email: 'nobody@acme.example' };
  const asked = await tryFrom('2001:db8:1:1::1', forgot, openBrowser(majlis), '/password/forgot');
  assert.equal(asked.status, 429);
  assert.equal((await read('2001:db8:1:2::1')).status, 404);
  const inSite = [];
  for (let n = 0; n < 180; n++) inSite.push((await read(`2001:db8:1:${(n + 16).toString(16)}::1`)).status);
  assert.deepEqual([inSite.indexOf(429), (await read('2001:db8:2::1')).status], [179, 404]);
});

it('no link opens at any door once its address has tried too much, also for whoever is signed in', async () => {
  const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const other: string = (await majlis.workspace()).applied.workspace.name;
  const invite = (email: string) => makeToken(majlis, { kind: 'invitation', workspace: other, email, role: 'agent' });
  const doors = [
    ['/invitations/accept', { token: await invite('new@acme.example'), name: 'New', password }, openBrowser(majlis)],
    ['/invitations/accept', { token: await invite(member.email) }, member],
    ['/password/reset', { token: await makeToken(majlis, { kind: 'reset', email: member.email }), password }],
  ] as const;
  for (let n = 0; n < 60; n++) await tryFrom('10.11.0.1', { token: 'nothing' }, openBrowser(majlis), '/links/read');
  const statuses = async (address: string) => {
    const given = [];
    for (const [path, body, browser] of doors) given.push((await tryFrom(address, body, browser, path)).status);
    return given;
  };
  assert.deepEqual(await statuses('10.11.0.1'), [429, 429, 429]);
  assert.deepEqual(await statuses('10.11.0.2'), [200, 200, 200]);
});

it('an invitation counts as one attempt of its address, also for whoever is signed in', async () => {
  const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
  for (const [address, browser] of [
    ['10.13.0.1', openBrowser(majlis)],
    ['10.13.0.2', member],
  ] as const) {
    const statuses = [];
    for (let n = 0; n < 61; n++) {
      statuses.push((await tryFrom(address, { token: 'nothing' }, browser, '/invitations/accept')).status);
    }
    assert.deepEqual([new Set(statuses.slice(0, 60)), statuses.at(-1)], [new Set([404]), 429], address);
  }
});

it('a proof of identity with a code or a passkey is tried ten times', async () => {
  const device = createAuthenticator({ origin: 'https://desk.example' });
  for (const proof of [{ code: '000000' }, { passkey: device.prove({ challenge: 'x' }) }]) {
    const person = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await tryFrom('10.12.0.1', proof, person, '/confirm')).status);
    assert.equal(statuses.indexOf(429), 10, JSON.stringify(statuses));
  }
});
