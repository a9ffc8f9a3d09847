import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { samples, uploadFile } from '@majlis/testing/media';
import { joinWorkspace, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);

let hashes = 0;
createHook({
  init(_, type) {
    if (/argon2/i.test(type)) hashes++;
  },
}).enable();

const invite = (email: string, of = workspace, role = 'agent') =>
  makeToken(majlis, { kind: 'invitation', workspace: of.applied.workspace.name, email, role });

describe('an attempt on an account', () => {
  it('hashes as much for an unknown address as for a wrong password, so that its time tells nothing', async () => {
    const costOf = async (email: string) => {
      const from = hashes;
      const refused = await openBrowser(majlis).post('/sign-in', { email, password: 'wrong password' });
      assert.equal(refused.status, 401);
      return hashes - from;
    };
    assert.deepEqual([await costOf(owner.email), await costOf('nobody@acme.example')], [1, 1]);
  });

  it('is throttled for a code, a confirmation and a forgotten password too', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const tries = {
      '/confirm': { password: 'wrong password' },
      '/password/forgot': { email: 'anybody@acme.example' },
    };
    for (const [path, body] of Object.entries(tries)) {
      const statuses: number[] = [];
      for (let i = 0; i < 11; i++) statuses.push((await agent.post(path, body)).status);
      assert.equal(statuses.at(-1), 429, path);
      assert.ok(!statuses.slice(0, 10).includes(429), path);
    }
    // A process of its own: its attempts of this address are counted apart.
    const other = await majlis.another();
    const token = await invite(agent.email, await majlis.workspace());
    const guesses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const guess = { token, password: `wrong password ${i}` };
      guesses.push((await openBrowser(other).post('/invitations/accept', guess)).status);
    }
    await other.stop();
    assert.deepEqual([...new Set(guesses.slice(0, 10)), guesses.at(-1)], [401, 429]);
    // So are links of the command line, by the address alone.
    const links = await majlis.another();
    const uses: number[] = [];
    for (let i = 0; i < 61; i++) {
      uses.push((await openBrowser(links).post('/sign-in/link', { token: `guessed-${i}` })).status);
    }
    await links.stop();
    assert.deepEqual([...new Set(uses.slice(0, 60)), uses.at(-1)], [404, 429]);
    await agent.post('/totp');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await agent.request('PUT', '/totp', { code: '000000' })).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  });
});

it('a person sends 600 requests a minute, and waits before the next', async () => {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const statuses = new Set<number>();
  for (let sent = 0; sent < 600; sent += 50) {
    for (const { status } of await Promise.all(Array.from({ length: 50 }, () => agent.get('/session')))) {
      statuses.add(status);
    }
  }
  const { status, body, headers } = await agent.get('/session');
  assert.deepEqual([status, body.code], [429, 'rate_limited']);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.ok(statuses.has(200));
  assert.equal((await owner.get('/session')).status, 200);
});

it('what a person sees stays in no cache, neither a file nor a refusal', async () => {
  const { body: file } = await uploadFile(majlis, workspace, samples.png, { type: 'image/png' });
  const answers = [
    await owner.at('GET', `/media/${file.id}`),
    await owner.get('/session'),
    await owner.at('GET', '/members'),
    await owner.at('GET', '/conversations'),
    await openBrowser(majlis).get('/session'),
    await owner.at('GET', '/conversations/x'),
  ];
  for (const { headers } of answers) assert.equal(headers.get('cache-control'), 'no-store');
});

describe('a new password', () => {
  it('is no shorter, and no easier, where a person changes it than where an account is made', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await agent.post('/confirm', { password })).status, 204);
    for (const weak of ['short', agent.email]) {
      const { status, body } = await agent.request('PUT', '/password', { password: weak });
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/password'], JSON.stringify(body));
    }
    assert.equal((await openBrowser(majlis).post('/sign-in', { email: agent.email, password })).status, 200);
  });

  it('has 10 to 200 characters, four of them different, and not the name of the address where that is long', async () => {
    const [long, short] = await Promise.all(
      ['abcd@acme.example', 'xyz@acme.example'].map((email) =>
        joinWorkspace(majlis, workspace, { role: 'agent', email }),
      ),
    );
    const tries = [
      [long!, '🐎🐄🐑🐐🐪🐫🦙🐖🐓', 422],
      [long!, 'qwz qwz q', 422],
      [long!, 'qwz qwz qk', 204],
      [long!, 'qwz qwz qw z', 204],
      [long!, 'qwzqwzqwzqwz', 422],
      [long!, `${'horse 7 '.repeat(25)}`, 204],
      [long!, `${'horse 7 '.repeat(25)}x`, 422],
      [long!, 'what ABCD would say', 422],
      [short!, 'what xyz would say', 204],
      [short!, 'what xyz@acme.example', 422],
    ] as const;
    for (const person of [long!, short!]) assert.equal((await person.post('/confirm', { password })).status, 204);
    for (const [person, given, expected] of tries) {
      const { status, body } = await person.request('PUT', '/password', { password: given });
      assert.equal(status, expected, `${given}: ${JSON.stringify(body)}`);
    }
  });
});

it('a forgotten password is no work where the text is no e-mail address', async () => {
  const refusal = { on: 'before insert on jobs', when: "new.kind = 'people.mail_reset'", body: "raise 'a job';" };
  await withTrigger(majlis, refusal, async () => {
    for (const [email, expected] of [
      ['nobody', 204],
      ['no body@acme.example', 204],
      [`${'n'.repeat(250)}@acme.example`, 204],
      ['nobody@acme.example', 500],
    ]) {
      assert.equal((await openBrowser(majlis).post('/password/forgot', { email })).status, expected, `${email}`);
    }
  });
});

describe('a session', () => {
  it('never has a token that the browser brought', async () => {
    const victim = openBrowser(majlis);
    victim.cookies.set('majlis_session', 'a-token-that-somebody-else-knows');
    assert.equal((await victim.post('/sign-in', { email: owner.email, password })).status, 200);
    assert.notEqual(victim.cookies.get('majlis_session'), 'a-token-that-somebody-else-knows');
    const attacker = openBrowser(majlis);
    attacker.cookies.set('majlis_session', 'a-token-that-somebody-else-knows');
    assert.equal((await attacker.get('/session')).status, 401);
  });
});

describe('an invitation', () => {
  it('makes a member of the invited address, whoever is signed in', async () => {
    const other = await majlis.workspace();
    const token = await invite('invited@acme.example', other);
    const browser = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const accepted = await browser.post('/invitations/accept', {
      token,
      name: 'Invited',
      password: 'one of their own',
    });
    assert.equal(accepted.status, 200);
    const { body } = await browser.get('/session');
    assert.equal(body.person.email, 'invited@acme.example');
    const again = openBrowser(majlis);
    assert.equal((await again.post('/sign-in', { email: browser.email, password })).status, 200);
    const session = await again.get('/session');
    assert.ok(!session.body.workspaces.some((one: { workspace_id: string }) => one.workspace_id === other.id));
  });

  it('makes no account without a name', async () => {
    const token = await invite('nameless@acme.example');
    for (const name of [undefined, '  ']) {
      const { status, body } = await openBrowser(majlis).post('/invitations/accept', { token, name, password });
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/name'], JSON.stringify(body));
    }
    const accepted = await openBrowser(majlis).post('/invitations/accept', { token, name: 'N', password });
    assert.equal(accepted.status, 200);
  });

  it('is listed, and a link of the command line is not', async () => {
    const name: string = workspace.applied.workspace.name;
    await makeToken(majlis, { kind: 'sign_in', workspace: name, email: 'operator@acme.example', role: 'owner' });
    await invite('listed@acme.example');
    const emails = (await owner.at('GET', '/invitations')).body.data.map(({ email }: { email: string }) => email);
    assert.deepEqual(emails, ['listed@acme.example']);
  });

  it('of each of two workspaces works for one new person at the same time, or is refused in words', async () => {
    const other = await majlis.workspace();
    const tokens = [await invite('twice@acme.example'), await invite('twice@acme.example', other)];
    const accept = (token: string) => openBrowser(majlis).post('/invitations/accept', { token, name: 'T', password });
    const answers = await Promise.all(tokens.map(accept));
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 401),
      JSON.stringify(answers.map(({ body }) => body)),
    );
    const refused = answers.findIndex(({ status }) => status !== 200);
    if (refused >= 0) assert.equal((await accept(tokens[refused]!)).status, 200);
    const browser = openBrowser(majlis);
    assert.equal((await browser.post('/sign-in', { email: 'twice@acme.example', password })).status, 200);
    assert.equal((await browser.get('/session')).body.workspaces.length, 2);
  });
});

describe('a request of the console that cannot be meant', () => {
  it('is refused with the place of its fault', async () => {
    const faults = [
      ['POST', '/api-keys', { name: '  ', environment: 'test', scopes: [] }, 422, '/name'],
      ['GET', '/audit?user_id=somebody', undefined, 422, '/user_id'],
      ['GET', '/audit?since=yesterday', undefined, 422, '/since'],
      ['GET', '/broadcast-states/brd_1', undefined, 404, undefined],
      ['POST', '/broadcast-states/brd_1/recipient-exports', {}, 404, undefined],
    ] as const;
    assert.equal((await owner.post('/confirm', { password })).status, 204);
    for (const [method, path, sent, expected, pointer] of faults) {
      const { status, body } = await owner.at(method, path, sent);
      assert.deepEqual([status, body.errors?.[0].pointer], [expected, pointer], `${path}: ${JSON.stringify(body)}`);
    }
  });
});

describe('the last owner', () => {
  it('stays when two owners remove each other at once', async () => {
    const shop = await majlis.workspace();
    const [one, two] = [await joinWorkspace(majlis, shop), await joinWorkspace(majlis, shop)];
    const answers = await Promise.all([
      one.at('DELETE', `/members/${two.user_id}`),
      two.at('DELETE', `/members/${one.user_id}`),
    ]);
    assert.equal(answers.filter(({ status }) => status === 204).length, 1, JSON.stringify(answers));
  });

  it('stays when two owners step down at once', async () => {
    const shop = await majlis.workspace();
    const both = [await joinWorkspace(majlis, shop), await joinWorkspace(majlis, shop)];
    const answers = await Promise.all(both.map((me) => me.at('PATCH', `/members/${me.user_id}`, { role: 'agent' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it('is not demoted by an invitation to a lower role', async () => {
    const shop = await majlis.workspace();
    const last = await joinWorkspace(majlis, shop);
    const token = await invite(last.email, shop);
    assert.equal((await last.post('/invitations/accept', { token, password })).status, 200);
    const { body } = await last.get('/session');
    const here = body.workspaces.find((one: { workspace_id: string }) => one.workspace_id === shop.id);
    assert.equal(here.role, 'owner');
  });
});
