import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { Secret, TOTP } from 'otpauth';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const newAgent = () => joinWorkspace(majlis, workspace, { role: 'agent' });
const inviteElsewhere = async (email: string) =>
  makeToken(majlis, {
    kind: 'invitation',
    workspace: (await majlis.workspace()).applied.workspace.name,
    email,
    role: 'agent',
  });
const personOf = ({ user_id }: Member) => `(select person_id from users where id = '${parseId('user', user_id)}')`;

/** Begins a change of the person, as another request does, and commits it once `write` waits for it. */
async function changedDuring<Answer>(member: Member, change: string, write: () => Promise<Answer>): Promise<Answer> {
  return whileHeld(majlis, `update people set ${change} where id = ${personOf(member)}`, async (held) => {
    const answer = write();
    await untilWaiting(majlis, 1, 'for update');
    await held.commit();
    return answer;
  });
}

describe('an invitation to an address with an account', () => {
  it('is not accepted by a password that is replaced at this moment', async () => {
    const agent = await newAgent();
    const token = await inviteElsewhere(agent.email);
    const accept = () => openBrowser(majlis).post('/invitations/accept', { token, password });
    const { status, body } = await changedDuring(agent, `password_hash = 'another'`, accept);
    assert.deepEqual([status, body.code], [401, 'sign_in_failed'], JSON.stringify(body));
    assert.equal((await openBrowser(majlis).post('/links/read', { token })).status, 200);
  });

  it('sets no password where the owner proves the address at this moment', async () => {
    const agent = await newAgent();
    await majlis.sql(`update people set proven_at = null where id = ${personOf(agent)}`);
    const token = await inviteElsewhere(agent.email);
    const accept = () => openBrowser(majlis).post('/invitations/accept', { token, password: 'of the mailbox alone' });
    const { status, body } = await changedDuring(agent, 'proven_at = now()', accept);
    assert.deepEqual([status, body.code], [401, 'sign_in_failed'], JSON.stringify(body));
    assert.equal((await openBrowser(majlis).post('/sign-in', { email: agent.email, password })).status, 200);
    assert.equal((await openBrowser(majlis).post('/links/read', { token })).status, 200);
  });

  it('is unknown to whoever is signed in, where nobody made it', async () => {
    const { status, body } = await (await newAgent()).post('/invitations/accept', { token: 'guessed', password });
    assert.deepEqual([status, body.code], [404, 'link_invalid']);
  });

  it('is withdrawn where another one made its person a member', async () => {
    const shop: string = (await majlis.workspace()).applied.workspace.name;
    const invite = (role: string) =>
      makeToken(majlis, { kind: 'invitation', workspace: shop, email: 'twice@acme.example', role });
    const [older, newer] = [await invite('owner'), await invite('agent')];
    const accepted = await openBrowser(majlis).post('/invitations/accept', { token: newer, name: 'Twice', password });
    assert.equal(accepted.status, 200);
    assert.equal((await openBrowser(majlis).post('/links/read', { token: older })).status, 404);
  });

  it('is not opened by a session of before the address was proven', async () => {
    const agent = await newAgent();
    await majlis.sql(`update people set proven_at = null where id = ${personOf(agent)}`);
    const order = { kind: 'invitation', workspace: workspace.applied.workspace.name, email: agent.email };
    const token = await makeToken(majlis, { ...order, role: 'owner' });
    assert.equal((await agent.post('/links/read', { token })).body.is_yours, false);
    const { status, body } = await agent.post('/invitations/accept', { token });
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/password']);
  });
});

describe('a code of an app', () => {
  it('begins its use once alone, after its secret was made, and with a key that opens it', async () => {
    const agent = await newAgent();
    const enable = async (code: string) => {
      const { status, body } = await agent.request('PUT', '/totp', { code });
      return [status, body.errors?.[0].pointer];
    };
    assert.deepEqual(await enable('000000'), [422, '']);
    const { secret } = (await agent.post('/totp')).body;
    const codeNow = async (later_ms = 0) => {
      const { body } = await majlis.operator('GET', '/clock');
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(body.now) + later_ms });
    };
    const setSecret = (value: string) =>
      majlis.sql(`update people set totp_secret = ${value} where id = ${personOf(agent)}`);
    await setSecret(`set_byte(totp_secret, 5, get_byte(totp_secret, 5) # 1)`);
    assert.deepEqual(await enable(await codeNow()), [422, '']);
    await setSecret(`set_byte(totp_secret, 5, get_byte(totp_secret, 5) # 1)`);
    assert.equal((await enable(await codeNow()))[0], 200);
    assert.deepEqual(await enable(await codeNow(30_000)), [422, '']);
  });
});

describe('a code that is asked for', () => {
  const halfway = async ({ email }: Member) => {
    const browser = openBrowser(majlis);
    assert.equal((await browser.post('/sign-in', { email, password })).body.state, 'second_factor');
    return browser;
  };
  const withApp = async () => {
    const agent = await newAgent();
    const { secret } = (await agent.post('/totp')).body;
    const { body: clock } = await majlis.operator('GET', '/clock');
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(clock.now) });
    const { status, body } = await agent.request('PUT', '/totp', { code });
    assert.equal(status, 200);
    return { agent, code, recovery_code: body.recovery_codes[0] };
  };

  it('is wrong in signs that are no digits', async () => {
    const { agent } = await withApp();
    const browser = await halfway(agent);
    for (const code of ['\uff11\uff12\uff13\uff14\uff15\uff16', 'abcdef', '12345', '']) {
      const { status, body } = await browser.post('/sign-in/code', { code });
      assert.deepEqual([status, body.code], [401, 'sign_in_failed'], code);
    }
  });

  it('is none of an app that no key opens any more, and a recovery code signs in', async () => {
    const { agent, code, recovery_code } = await withApp();
    const spoilt = 'set_byte(totp_secret, 5, get_byte(totp_secret, 5) # 1)';
    await majlis.sql(`update people set totp_secret = ${spoilt} where id = ${personOf(agent)}`);
    assert.equal((await agent.post('/confirm', { code })).status, 401);
    const browser = await halfway(agent);
    assert.equal((await browser.post('/sign-in/code', { code })).status, 401);
    assert.equal((await browser.post('/sign-in/code', { code: recovery_code })).status, 200);
  });
});

it('a code of an app signs in nobody whose password was not typed just before', async () => {
  const answer = await openBrowser(majlis).post('/sign-in/code', { code: '000000' });
  assert.deepEqual([answer.status, answer.body.code], [401, 'sign_in_failed']);
});

it('a session that names none is not found, and the own one stays', async () => {
  const agent = await newAgent();
  for (const id of ['nonsense', 'ses_1']) assert.equal((await agent.request('DELETE', `/sessions/${id}`)).status, 404);
  assert.equal((await agent.get('/session')).status, 200);
});

it('a person without a workspace keeps the account, and changes its password', async () => {
  const owner = await joinWorkspace(majlis, workspace);
  const leaver = await newAgent();
  assert.equal((await owner.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
  assert.equal((await leaver.request('PUT', '/password', { password: 'one of their own' })).status, 204);
});

it('the last owner may be named an owner again, and be limited to their own teams', async () => {
  const shop = await majlis.workspace();
  const owner = await joinWorkspace(majlis, shop);
  for (const change of [{ role: 'owner' }, { own_teams_only: true }]) {
    const { status, body } = await owner.at('PATCH', `/members/${owner.user_id}`, change);
    assert.deepEqual([status, body.role ?? body.member?.role], [200, 'owner'], JSON.stringify(body));
  }
});

it('an owner of two steps down, whichever of them it is, and names one again whom no admin could name', async () => {
  const shop = await majlis.workspace();
  const [one, two] = [await joinWorkspace(majlis, shop), await joinWorkspace(majlis, shop)];
  const change = async (by: Member, of: Member, role: string) => {
    const { status, body } = await by.at('PATCH', `/members/${of.user_id}`, { role });
    return body.code ?? status;
  };
  for (const [stays, leaves] of [
    [one, two],
    [two, one],
  ] as const) {
    assert.equal(await change(leaves, leaves, 'admin'), 200);
    assert.equal(await change(leaves, leaves, 'owner'), 'role_insufficient');
    assert.equal(await change(stays, leaves, 'owner'), 200);
  }
});

it('a change of a member locks the owners first, so that two changes never wait for each other', async () => {
  const [owner, agent] = [await joinWorkspace(majlis, workspace), await newAgent()];
  const busy = `select from users where id = '${parseId('user', owner.user_id)}' for update`;
  const { status } = await whileHeld(majlis, busy, async (held) => {
    const answer = owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true });
    await untilWaiting(majlis, 1, 'person_id is not null for update');
    await held.release();
    return answer;
  });
  assert.equal(status, 200);
});

it('an invitation is withdrawn once, and in its workspace alone', async () => {
  const [owner, stranger] = [
    await joinWorkspace(majlis, workspace),
    await joinWorkspace(majlis, await majlis.workspace()),
  ];
  const invited = await owner.at('POST', '/invitations', { email: 'withdrawn@acme.example', role: 'agent' });
  const path = `/invitations/${invited.body.invitation.id}`;
  const statuses = [];
  for (const who of [stranger, owner, owner]) statuses.push((await who.at('DELETE', path)).status);
  assert.deepEqual(statuses, [404, 204, 404]);
});

it('an activity log refuses a moment that no clock shows, and names it', async () => {
  const owner = await joinWorkspace(majlis, workspace);
  for (const name of ['since', 'until']) {
    const { status, body } = await owner.at('GET', `/audit?${name}=2016-12-31T23:59:60Z`);
    assert.deepEqual([status, body.errors?.[0].pointer], [422, `/${name}`]);
  }
});
