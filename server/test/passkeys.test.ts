import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Authenticator, createAuthenticator } from '@majlis/testing/authenticator';
import { type Browser, joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { Secret, TOTP } from 'otpauth';
import { parseId } from '../src/database/ids.ts';

const origin = 'https://desk.example';
const majlis = await startTestService({ env: { PUBLIC_URL: origin } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);

async function addPasskey(person: Browser, name = 'Phone'): Promise<{ device: Authenticator; id: string }> {
  const device = createAuthenticator({ origin });
  const { body } = await person.post('/passkeys/begin');
  const added = await person.post('/passkeys', { name, response: device.register(body.options) });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  return { device, id: added.body.id };
}

async function signIn(device: Authenticator, browser = openBrowser(majlis)) {
  const { body } = await browser.post('/sign-in/passkey/begin');
  return { browser, ...(await browser.post('/sign-in/passkey', device.prove(body.options))) };
}

async function newAgent(): Promise<Member> {
  return joinWorkspace(majlis, workspace, { role: 'agent' });
}

function assertRefused(answer: { status: number; body: { code: string } }, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code]);
}

describe('a passkey', () => {
  it('is asked for sixty times from one address, and then refused', async () => {
    // A process of its own counts its attempts apart.
    const other = await majlis.another();
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) statuses.push((await openBrowser(other).post('/sign-in/passkey/begin')).status);
    assert.deepEqual([...new Set(statuses.slice(0, 60)), statuses.at(-1)], [200, 429]);
    // Who is signed in begins no more there either.
    const member = await newAgent();
    const there = openBrowser(other);
    for (const [name, value] of member.cookies) there.cookies.set(name, value);
    for (const path of ['/passkeys/begin', '/confirm/passkey/begin']) {
      assert.equal((await member.post(path)).status, 200, path);
      assert.equal((await there.post(path)).status, 429, path);
    }
    await other.stop();
  });

  it('is one of twenty at most', async () => {
    const agent = await newAgent();
    const { id } = await addPasskey(agent);
    await majlis.sql(
      `insert into passkeys select (json_populate_record(p, json_build_object('id', gen_random_uuid(),
         'credential_id', 'AAA' || chr(64 + n) || substr(p.credential_id, 5)))).*
       from passkeys p, generate_series(1, 18) n where p.id = $1`,
      [parseId('passkey', id)!],
    );
    await addPasskey(agent, 'The twentieth');
    const { body } = await agent.post('/passkeys/begin');
    const response = createAuthenticator({ origin }).register(body.options);
    const refused = await agent.post('/passkeys', { name: 'One more', response });
    assert.deepEqual([refused.status, refused.body.errors?.[0].pointer], [422, '']);
    assert.equal((await agent.get('/passkeys')).body.data.length, 20);
  });

  it('signs in without a name or password, and without the code of an app', async () => {
    const agent = await newAgent();
    const { body: setup } = await agent.post('/totp');
    const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp: now });
    await agent.request('PUT', '/totp', { code });
    const { device } = await addPasskey(agent);
    const { status, body, browser } = await signIn(device);
    assert.deepEqual([status, body], [200, { state: 'signed_in' }]);
    assert.equal((await browser.get('/session')).body.person.email, agent.email);
    const { body: sessions } = await browser.get('/sessions');
    const methods = sessions.data.map((one: { method: string }) => one.method).sort();
    assert.deepEqual(methods, ['passkey', 'password']);
    const typed = await openBrowser(majlis).post('/sign-in', { email: agent.email, password });
    assert.deepEqual(typed.body, { state: 'second_factor' });
  });

  it('makes a new session, and ends the one before', async () => {
    const { device } = await addPasskey(await newAgent());
    const { browser } = await signIn(device);
    const first = browser.cookies.get('__Host-majlis')!;
    await signIn(device, browser);
    assert.notEqual(browser.cookies.get('__Host-majlis'), first);
    const stolen = openBrowser(majlis);
    stolen.cookies.set('__Host-majlis', first);
    assertRefused(await stolen.get('/session'), 401, 'signed_out');
  });

  it('is named, listed with its last use, renamed and removed, and the activity log tells', async () => {
    const agent = await newAgent();
    const { device, id } = await addPasskey(agent, ' Work laptop ');
    const list = async () => (await agent.get('/passkeys')).body.data;
    assert.deepEqual(
      (await list()).map((one: { name: string; last_used_at?: string }) => [one.name, one.last_used_at]),
      [['Work laptop', undefined]],
    );
    await signIn(device);
    assert.ok((await list())[0].last_used_at);
    assert.equal((await agent.request('PATCH', `/passkeys/${id}`, { name: ' ' })).status, 422);
    assert.equal((await agent.request('PATCH', `/passkeys/${id}`, { name: 'Laptop' })).status, 204);
    assert.equal((await list())[0].name, 'Laptop');
    for (const [who, named, name, expected] of [
      [agent, id, 'n'.repeat(101), 422],
      [owner, id, 'Theirs', 404],
      [agent, 'key_1', 'Nobody’s', 404],
      [agent, id, 'n'.repeat(100), 204],
    ] as const) {
      assert.equal((await who.request('PATCH', `/passkeys/${named}`, { name })).status, expected, name);
    }
    assert.equal((await list())[0].name, 'n'.repeat(100));
    assertRefused(await owner.request('DELETE', `/passkeys/${id}`), 404, 'not_found');
    assert.equal((await agent.request('DELETE', `/passkeys/${id}`)).status, 204);
    assertRefused(await signIn(device), 401, 'sign_in_failed');
    const { body } = await owner.at('GET', '/audit');
    const acts = body.data.filter((one: { actor: { user_id: string } }) => one.actor.user_id === agent.user_id);
    assert.deepEqual(
      acts.map((one: { action: string }) => one.action),
      ['removePasskey', 'addPasskey'],
    );
  });

  it('needs a recent proof of identity to be added and to be removed', async () => {
    const agent = await newAgent();
    const { id } = await addPasskey(agent);
    await majlis.advance(601);
    assertRefused(await agent.post('/passkeys/begin'), 403, 'confirmation_required');
    assertRefused(await agent.request('DELETE', `/passkeys/${id}`), 403, 'confirmation_required');
  });

  it('is not begun by a session that ends at this moment', async () => {
    for (const path of ['/passkeys/begin', '/confirm/passkey/begin']) {
      const agent = await newAgent();
      const { id } = (await agent.get('/sessions')).body.data[0];
      const ending = `delete from sessions where id = '${parseId('session', id)}'`;
      const begun = await whileHeld(majlis, ending, async (held) => {
        const answer = agent.post(path);
        await untilWaiting(majlis, 1, 'sign_in_challenges');
        await held.commit();
        return answer;
      });
      assertRefused(begun, 401, 'signed_out');
    }
  });

  it('is never removed as the last way to sign in', async () => {
    const email = 'link@acme.example';
    const token = await makeToken(majlis, { kind: 'sign_in', workspace: workspace.applied.workspace.name, email });
    const browser = openBrowser(majlis);
    await browser.post('/sign-in/link', { token });
    const { id } = await addPasskey(browser);
    const { id: second } = await addPasskey(browser, 'Key');
    const remove = (one: string) => browser.request('DELETE', `/passkeys/${one}`);
    const answers = await Promise.all([remove(id), remove(second)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
    assert.equal((await browser.get('/passkeys')).body.data.length, 1);
  });

  describe('as a proof of identity', () => {
    const change = (person: Browser) => person.request('PUT', '/password', { password: 'another long password' });

    it('confirms a person who has no password', async () => {
      const token = await makeToken(majlis, {
        kind: 'sign_in',
        workspace: workspace.applied.workspace.name,
        email: 'bare@acme.example',
      });
      const browser = openBrowser(majlis);
      await browser.post('/sign-in/link', { token });
      const { device } = await addPasskey(browser);
      await majlis.advance(601);
      assertRefused(await change(browser), 403, 'confirmation_required');
      const { body } = await browser.post('/confirm/passkey/begin');
      assert.equal((await browser.post('/confirm', { passkey: device.prove(body.options) })).status, 204);
      assert.equal((await change(browser)).status, 204);
    });

    it('is refused of another person, in another session, and for a sign-in', async () => {
      const agent = await newAgent();
      const { device } = await addPasskey(agent);
      const { device: strange } = await addPasskey(await newAgent());
      const begin = async () => (await agent.post('/confirm/passkey/begin')).body.options;
      await majlis.advance(601);
      assertRefused(await agent.post('/confirm', { passkey: strange.prove(await begin()) }), 401, 'sign_in_failed');
      const { browser: other } = await signIn(device);
      assertRefused(await other.post('/confirm', { passkey: device.prove(await begin()) }), 401, 'sign_in_failed');
      const posted = await openBrowser(majlis).post('/sign-in/passkey', device.prove(await begin()));
      assertRefused(posted, 401, 'sign_in_failed');
      const { body: anyone } = await agent.post('/sign-in/passkey/begin');
      assertRefused(await agent.post('/confirm', { passkey: device.prove(anyone.options) }), 401, 'sign_in_failed');
      assertRefused(await change(agent), 403, 'confirmation_required');
    });

    it('is one of three: password, code of the app, passkey', async () => {
      const agent = await newAgent();
      const { body: setup } = await agent.post('/totp');
      const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
      const codeAt = (timestamp: number) =>
        new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp });
      await agent.request('PUT', '/totp', { code: codeAt(await now()) });
      await majlis.advance(601);
      const code = codeAt(await now());
      assert.equal((await agent.post('/confirm', {})).status, 422);
      assert.equal((await agent.post('/confirm', { code, password })).status, 422);
      assertRefused(await agent.post('/confirm', { code: '000000' }), 401, 'sign_in_failed');
      assert.equal((await agent.post('/confirm', { code })).status, 204);
      assertRefused(await agent.post('/confirm', { code }), 401, 'sign_in_failed');
    });
  });

  describe('is refused', () => {
    it('with a challenge that was used, also where the first answer was wrong', async () => {
      const { device } = await addPasskey(await newAgent());
      const browser = openBrowser(majlis);
      const { body } = await browser.post('/sign-in/passkey/begin');
      const proof = device.prove(body.options);
      assert.equal((await browser.post('/sign-in/passkey', proof)).status, 200);
      assertRefused(await browser.post('/sign-in/passkey', proof), 401, 'sign_in_failed');
      const { body: next } = await browser.post('/sign-in/passkey/begin');
      const wrong = device.prove(next.options, { origin: 'https://evil.example' });
      assertRefused(await browser.post('/sign-in/passkey', wrong), 401, 'sign_in_failed');
      assertRefused(await browser.post('/sign-in/passkey', device.prove(next.options)), 401, 'sign_in_failed');
    });

    it('with a challenge of its own, one for another purpose, and one of five minutes ago', async () => {
      const agent = await newAgent();
      const { device } = await addPasskey(agent);
      const post = (options: object) => openBrowser(majlis).post('/sign-in/passkey', device.prove(options));
      const made = Buffer.alloc(32, 7).toString('base64url');
      assertRefused(await post({ challenge: made }), 401, 'sign_in_failed');
      const { body: registration } = await agent.post('/passkeys/begin');
      assertRefused(await post(registration.options), 401, 'sign_in_failed');
      const { body } = await agent.post('/sign-in/passkey/begin');
      await majlis.advance(301);
      assertRefused(await post(body.options), 401, 'sign_in_failed');
    });

    it('with a counter that does not grow', async () => {
      const { device } = await addPasskey(await newAgent());
      await signIn(device);
      await signIn(device);
      const { body } = await owner.post('/sign-in/passkey/begin');
      const copied = device.prove(body.options, { counter: 2 });
      assertRefused(await openBrowser(majlis).post('/sign-in/passkey', copied), 401, 'sign_in_failed');
    });

    it('for another site, for another person, and without a check of the person', async () => {
      const { device } = await addPasskey(await newAgent());
      const claims = [
        { origin: 'https://desk.example.evil.example' },
        { userHandle: Buffer.alloc(16, 1).toString('base64url') },
        { verified: false },
      ];
      for (const claim of claims) {
        const { body } = await owner.post('/sign-in/passkey/begin');
        const answer = await openBrowser(majlis).post('/sign-in/passkey', device.prove(body.options, claim));
        assertRefused(answer, 401, 'sign_in_failed');
      }
    });

    it('where the answer of the browser has another form', async () => {
      const agent = await newAgent();
      const { body } = await agent.post('/passkeys/begin');
      const { response, ...rest } = createAuthenticator({ origin }).register(body.options);
      const answers = [
        await agent.post('/passkeys', { name: 'x', response: { ...rest, response: {} } }),
        await agent.post('/passkeys', {
          name: 'x',
          response: { ...rest, response: { ...response, attestationObject: '@@' } },
        }),
        await agent.post('/sign-in/passkey', { id: 'x', rawId: 'x', type: 'x', response: 7 }),
      ];
      for (const { status } of answers) assert.equal(status, 422);
      const proof = createAuthenticator({ origin }).prove({ challenge: '\u0000' });
      assertRefused(await agent.post('/sign-in/passkey', proof), 401, 'sign_in_failed');
    });

    it('after sixty attempts from one address', async () => {
      const busy = await majlis.another();
      const device = createAuthenticator({ origin });
      const browser = openBrowser(busy);
      const attempts = await Promise.all(
        Array.from({ length: 61 }, () => browser.post('/sign-in/passkey', device.prove({ challenge: 'x' }))),
      );
      assert.equal(attempts.filter(({ status }) => status === 429).length, 1);
      const begun = await Promise.all(Array.from({ length: 61 }, () => browser.post('/sign-in/passkey/begin')));
      assert.equal(begun.filter(({ status }) => status === 429).length, 1);
      await busy.stop();
    });
  });

  it('is not offered on plain http: the answer says what it needs', async () => {
    const plain = await majlis.another({ PUBLIC_URL: 'http://10.0.0.7:8080' });
    const agent = openBrowser(plain);
    assert.equal((await agent.get('/sign-in')).body.passkey_origin, undefined);
    const refused = await agent.post('/sign-in/passkey/begin');
    assertRefused(refused, 409, 'passkeys_unavailable');
    assert.match(refused.body.detail, /https/);
    assert.equal((await owner.get('/sign-in')).body.passkey_origin, origin);
    await plain.stop();
  });
});

describe('an invitation', () => {
  it('is accepted by the session of its person, who may have no password, without a new proof of identity', async () => {
    const email = 'two@acme.example';
    const other = await majlis.workspace();
    const name: string = workspace.applied.workspace.name;
    const browser = openBrowser(majlis);
    await browser.post('/sign-in/link', {
      token: await makeToken(majlis, { kind: 'sign_in', workspace: name, email }),
    });
    await majlis.advance(601);
    const token = await makeToken(majlis, {
      kind: 'invitation',
      workspace: other.applied.workspace.name,
      email,
      role: 'agent',
    });
    assert.equal((await browser.post('/links/read', { token })).body.is_yours, true);
    assert.equal((await openBrowser(majlis).post('/links/read', { token })).body.is_yours, false);
    assert.equal((await owner.post('/invitations/accept', { token })).status, 401);
    assert.equal((await browser.post('/invitations/accept', { token })).status, 200);
    assert.equal((await browser.get('/session')).body.workspaces.length, 2);
    assertRefused(await browser.post('/passkeys/begin'), 403, 'confirmation_required');
  });
});
