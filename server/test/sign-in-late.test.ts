import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { joinWorkspace, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { Secret, TOTP } from 'otpauth';

const majlis = await startTestService({ env: { PUBLIC_URL: 'https://desk.example' } });
const workspace = await majlis.workspace();
const day = 86_400;

describe('a sign-in in two steps, or with a link that is passed on', () => {
  it('with a link of the command line works once, within a day', async () => {
    const order = {
      kind: 'sign_in',
      workspace: workspace.applied.workspace.name,
      email: 'cli@acme.example',
      role: 'agent',
    };
    const use = (token: string) => openBrowser(majlis).post('/sign-in/link', { token });
    const token = await makeToken(majlis, order);
    assert.deepEqual((await Promise.all([use(token), use(token)])).map(({ status }) => status).sort(), [200, 404]);
    const late = await makeToken(majlis, order);
    await majlis.advance(day + 1);
    assert.equal((await use(late)).status, 404);
  });

  it('waits ten minutes for the code', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { body: setup } = await agent.post('/totp');
    const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const codeNow = async () =>
      new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp: await now() });
    await agent.request('PUT', '/totp', { code: await codeNow() });
    const browser = openBrowser(majlis);
    const begin = () => browser.post('/sign-in', { email: agent.email, password });
    await begin();
    await majlis.advance(601);
    assert.equal((await browser.post('/sign-in/code', { code: await codeNow() })).status, 401);
    await begin();
    await majlis.advance(500);
    assert.equal((await browser.post('/sign-in/code', { code: await codeNow() })).status, 200);
  });
});

it('a session ends after seven days without a request, also before it is swept away', async () => {
  const [idle, busy] = [await joinWorkspace(majlis, workspace), await joinWorkspace(majlis, workspace)];
  // The sweep waits for the lock; a request does not.
  await whileHeld(majlis, 'select from sessions for key share', async () => {
    await majlis.advance(7 * day - 600);
    assert.equal((await busy.get('/session')).status, 200);
    await majlis.advance(600);
    assert.deepEqual([(await idle.get('/session')).status, (await busy.get('/session')).status], [401, 200]);
  });
});

it('a session marks its last request once a minute', async () => {
  const member = await joinWorkspace(majlis, workspace);
  const seen = async () => {
    const { data } = (await member.get('/sessions')).body;
    return Date.parse(data[0].last_seen_at);
  };
  const first = await seen();
  await majlis.advance(1);
  assert.equal(await seen(), first);
  await majlis.advance(61);
  assert.ok((await seen()) >= first + 60_000);
});

it('what signs nobody in any more is forgotten within the hour, and nothing else', async () => {
  const counts = async () => {
    const [row] = await majlis.sql<{ sessions: number; links: number; challenges: number }>(
      `select (select count(*)::int from sessions) as sessions, (select count(*)::int from sign_in_links) as links,
         (select count(*)::int from sign_in_challenges) as challenges`,
    );
    return row!;
  };
  const make = async () => {
    const { email } = await joinWorkspace(majlis, workspace);
    await makeToken(majlis, { kind: 'reset', email });
    assert.equal((await openBrowser(majlis).post('/sign-in/passkey/begin')).status, 200);
  };
  await make();
  await majlis.advance(31 * day);
  await make();
  await eventually(counts, ({ sessions, links, challenges }) => sessions === 1 && links === 1 && challenges === 1);
});

it('a person changes the password within ten minutes of a proof of identity, which ends the other sessions', async () => {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const other = openBrowser(majlis);
  assert.equal((await other.post('/sign-in', { email: agent.email, password })).status, 200);
  await majlis.advance(601);
  const change = () => agent.request('PUT', '/password', { password: 'another long password' });
  assert.deepEqual((await change()).body.code, 'confirmation_required');
  assert.equal((await agent.post('/confirm', { password: 'wrong password' })).status, 401);
  assert.equal((await agent.post('/confirm', { password })).status, 204);
  assert.equal((await change()).status, 204);
  assert.equal((await other.get('/session')).status, 401);
  assert.equal((await agent.get('/session')).status, 200);
});
