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

it('the last owner may be named an owner again', async () => {
  const shop = await majlis.workspace();
  const owner = await joinWorkspace(majlis, shop);
  const { status, body } = await owner.at('PATCH', `/members/${owner.user_id}`, { role: 'owner' });
  assert.deepEqual([status, body.role ?? body.member?.role], [200, 'owner'], JSON.stringify(body));
});

it('an activity log refuses a moment that no clock shows, and names it', async () => {
  const owner = await joinWorkspace(majlis, workspace);
  for (const name of ['since', 'until']) {
    const { status, body } = await owner.at('GET', `/audit?${name}=2016-12-31T23:59:60Z`);
    assert.deepEqual([status, body.errors?.[0].pointer], [422, `/${name}`]);
  }
});
