import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Browser, joinWorkspace, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { Secret, TOTP } from 'otpauth';

const day = 86_400;

const majlis = await startTestService();
const workspace = await majlis.workspace();
let owner = await joinWorkspace(majlis, workspace);

async function signIn(browser: Browser, email: string, state = 'signed_in') {
  const answer = await browser.post('/sign-in', { email, password });
  assert.deepEqual([answer.status, answer.body], [200, { state }]);
  return answer;
}

describe('signing in', () => {
  const invite = (email: string, role = 'agent') =>
    makeToken(majlis, { kind: 'invitation', workspace: workspace.applied.workspace.name, email, role });

  it('gives the person and their workspaces', async () => {
    const browser = openBrowser(majlis);
    const signedIn = await browser.post('/sign-in', { email: owner.email.toUpperCase(), password });
    assert.deepEqual([signedIn.status, signedIn.body], [200, { state: 'signed_in' }]);
    const { body } = await browser.get('/session');
    assert.equal(body.person.email, owner.email);
    assert.equal(body.person.proof, undefined, 'the proof of the address ended nothing');
    const { has_password, has_totp, has_passkey, has_oidc } = body.person;
    assert.deepEqual([has_password, has_totp, has_passkey, has_oidc], [true, false, false, false]);
    assert.deepEqual(
      body.workspaces.map((one: { workspace_id: string; role: string }) => [one.workspace_id, one.role]),
      [[workspace.id, 'owner']],
    );
  });

  it('answers an unknown account like a wrong password', async () => {
    const wrong = await openBrowser(majlis).post('/sign-in', { email: owner.email, password: 'wrong password' });
    const unknown = await openBrowser(majlis).post('/sign-in', { email: 'nobody@acme.example', password });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'sign_in_failed']);
    assert.deepEqual(unknown.body, wrong.body);
  });

  it('is refused after ten wrong passwords, and only from that address', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const browser = openBrowser(majlis);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      statuses.push((await browser.post('/sign-in', { email: agent.email, password: 'wrong password' })).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), 429]);
    assert.equal((await browser.post('/sign-in', { email: agent.email, password })).status, 429);
  });

  it('makes a new session each time, and ends the one before', async () => {
    const browser = openBrowser(majlis);
    await signIn(browser, owner.email);
    const first = [...browser.cookies.values()][0]!;
    await signIn(browser, owner.email);
    const second = [...browser.cookies.values()][0]!;
    assert.notEqual(first, second);
    const stolen = openBrowser(majlis);
    stolen.cookies.set('majlis_session', first);
    assert.equal((await stolen.get('/session')).status, 401);
  });

  it('sets a cookie that scripts and other sites cannot use', async () => {
    const { headers } = await signIn(openBrowser(majlis), owner.email);
    const [session, device] = headers.getSetCookie();
    assert.match(session!, /^majlis_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(device!, /^majlis_device=[\w-]{22}\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('stores neither password nor token', async () => {
    const rows = await majlis.sql(`select p.*, s.* from people p join sessions s on s.person_id = p.id`);
    const text = JSON.stringify(rows);
    assert.ok(!text.includes(password));
    for (const token of owner.cookies.values()) assert.ok(!text.includes(token));
  });

  it('refuses short, common and own-address passwords', async () => {
    const token = await invite('weak@acme.example');
    const join = (bad: string) =>
      openBrowser(majlis).post('/invitations/accept', { token, name: 'Weak', password: bad });
    for (const bad of [
      'short',
      'password123',
      'weak@acme.example',
      'weak@acme.example1',
      'a weak sentence',
      'aaaaaaaaaaaaaa',
    ]) {
      const { status, body } = await join(bad);
      assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/password'], bad);
    }
    assert.equal((await join('a sentence of my own')).status, 200);
  });

  it('ends after seven days without a request, and after thirty days in any case', async () => {
    const idle = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const busy = await joinWorkspace(majlis, workspace, { role: 'agent' });
    for (let week = 0; week < 4; week++) {
      await majlis.advance(6 * day);
      assert.equal((await busy.get('/session')).status, 200);
    }
    assert.equal((await idle.get('/session')).status, 401);
    await majlis.advance(6 * day + 1);
    assert.equal((await busy.get('/session')).status, 401);
    owner = Object.assign(owner, openBrowser(majlis));
    await signIn(owner, owner.email);
  });

  describe('with an invitation', () => {
    it('works once', async () => {
      const token = await invite('once@acme.example');
      const accept = () => openBrowser(majlis).post('/invitations/accept', { token, name: 'Once', password });
      const answers = await Promise.all([accept(), accept()]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
      assert.equal((await accept()).status, 404);
    });

    it('ends after a day', async () => {
      const token = await invite('late@acme.example');
      await majlis.advance(day + 1);
      const { status, body } = await openBrowser(majlis).post('/links/read', { token });
      assert.deepEqual([status, body.code], [404, 'link_invalid']);
    });

    it('asks an existing account for its own password', async () => {
      const other = await majlis.workspace();
      const token = await makeToken(majlis, {
        kind: 'invitation',
        workspace: other.applied.workspace.name,
        email: owner.email,
        role: 'agent',
      });
      const stranger = openBrowser(majlis);
      const refused = await stranger.post('/invitations/accept', { token, name: 'X', password: 'another long one' });
      assert.deepEqual([refused.status, refused.body.code], [401, 'sign_in_failed']);
      const accepted = await stranger.post('/invitations/accept', { token, password });
      assert.equal(accepted.status, 200);
      const { body } = await stranger.get('/session');
      assert.equal(body.workspaces.length, 2);
    });
  });

  it('resets a password with a link, and ends every session', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const token = await makeToken(majlis, { kind: 'reset', email: agent.email });
    const browser = openBrowser(majlis);
    const fresh = 'another long password';
    assert.equal((await browser.post('/password/reset', { token, password: fresh })).status, 200);
    assert.equal((await agent.get('/session')).status, 401);
    assert.equal((await browser.get('/session')).status, 200);
    assert.equal((await openBrowser(majlis).post('/sign-in', { email: agent.email, password })).status, 401);
    assert.equal((await openBrowser(majlis).post('/password/reset', { token, password: fresh })).status, 404);
  });

  it('asks for a code where an app is set up, and takes each code once', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { body: setup } = await agent.post('/totp');
    const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp });
    const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const enabled = await agent.request('PUT', '/totp', { code: codeAt(await now()) });
    assert.equal(enabled.body.recovery_codes.length, 10);

    await majlis.advance(60);
    const browser = openBrowser(majlis);
    await signIn(browser, agent.email, 'second_factor');
    assert.equal((await browser.get('/session')).status, 401);
    const code = codeAt(await now());
    assert.equal((await browser.post('/sign-in/code', { code: '000000' })).status, 401);
    assert.equal((await browser.post('/sign-in/code', { code })).status, 200);
    assert.equal((await browser.get('/session')).status, 200);

    const replayed = openBrowser(majlis);
    await signIn(replayed, agent.email, 'second_factor');
    assert.equal((await replayed.post('/sign-in/code', { code })).status, 401);
    const recovery = enabled.body.recovery_codes[0];
    assert.equal((await replayed.post('/sign-in/code', { code: recovery })).status, 200);
    const again = openBrowser(majlis);
    await signIn(again, agent.email, 'second_factor');
    assert.equal((await again.post('/sign-in/code', { code: recovery })).status, 401);
  });

  it('takes no code of an app that is being set up anew', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const begin = async () => {
      const secret = Secret.fromBase32((await agent.post('/totp')).body.secret);
      return new TOTP({ secret }).generate({ timestamp: await now() });
    };
    assert.equal((await agent.request('PUT', '/totp', { code: await begin() })).status, 200);
    const waiting = openBrowser(majlis);
    await signIn(waiting, agent.email, 'second_factor');
    assert.equal((await agent.request('DELETE', '/totp')).status, 204);
    assert.equal((await waiting.post('/sign-in/code', { code: await begin() })).status, 401);
    // Whoever sits at a browser that is signed in can begin to set one up.
    assert.equal((await agent.post('/confirm', { code: await begin() })).status, 401);
    assert.equal((await openBrowser(majlis).post('/sign-in', { email: agent.email, password })).status, 200);
  });

  it('lists the sessions of a person and ends them', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const phone = openBrowser(majlis);
    await signIn(phone, agent.email);
    const { body } = await agent.get('/sessions');
    assert.equal(body.data.length, 2);
    const other = body.data.find((one: { current: boolean }) => !one.current);
    assert.equal((await owner.request('DELETE', `/sessions/${other.id}`)).status, 404);
    assert.equal((await agent.request('DELETE', `/sessions/${other.id}`)).status, 204);
    assert.equal((await phone.get('/session')).status, 401);
    assert.equal((await agent.post('/sign-out')).status, 204);
    assert.equal((await agent.get('/session')).status, 401);
  });

  it('refuses requests that a page of another site makes', async () => {
    const body = { email: owner.email, password };
    const refusals = [
      await owner.request('POST', '/sign-out', {}, { 'sec-fetch-site': 'cross-site' }),
      await owner.request('POST', '/sign-out', {}, { 'sec-fetch-site': 'same-site' }),
      await owner.request('GET', '/session', undefined, { 'sec-fetch-site': 'cross-site' }),
      await openBrowser(majlis).request('POST', '/sign-in', body, { 'sec-fetch-site': 'cross-site' }),
    ];
    for (const refused of refusals) assert.deepEqual([refused.status, refused.body.code], [403, 'cross_site_request']);
    const plain = await fetch(`${majlis.url}/console/v1/sign-in`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(plain.status, 403);
    assert.equal((await owner.get('/session')).status, 200);
  });

  it('takes what a person opens by hand, writes of its own pages, and requests of no browser', async () => {
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const [method, headers, expected] of [
      ['GET', { 'sec-fetch-site': 'none' }, 200],
      ['HEAD', { 'sec-fetch-site': 'none' }, 200],
      ['PATCH', { 'sec-fetch-site': 'none' }, 403],
      ['GET', {}, 200],
      ['PATCH', {}, 204],
      ['PATCH', { origin: majlis.url }, 204],
      ['PATCH', { origin: 'null' }, 403],
    ] as const) {
      const isWrite = method === 'PATCH';
      const { status } = await fetch(`${majlis.url}/console/v1/${isWrite ? 'profile' : 'session'}`, {
        method,
        headers: { cookie, ...(isWrite && { 'content-type': 'application/json' }), ...headers },
        ...(isWrite && { body: '{}' }),
      });
      assert.equal(status, expected, `${method} ${JSON.stringify(headers)}`);
    }
  });
});
