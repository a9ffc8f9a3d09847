import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const newAgent = () => joinWorkspace(majlis, workspace, { role: 'agent' });
const personOf = ({ user_id }: Member) => `(select person_id from users where id = '${parseId('user', user_id)}')`;

describe('a link for a new password', () => {
  const resetOf = (email: string) => makeToken(majlis, { kind: 'reset', email });
  const reset = (token: string, given: string) =>
    openBrowser(majlis).post('/password/reset', { token, password: given });

  it('sets none that is easy to guess', async () => {
    const { email } = await newAgent();
    const token = await resetOf(email);
    for (const weak of ['short', 'password123', email]) {
      const { status, body } = await reset(token, weak);
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/password'], weak);
    }
    assert.equal((await openBrowser(majlis).post('/sign-in', { email, password })).status, 200);
    assert.equal((await reset(token, 'one of their own')).status, 200);
  });

  it('ends the other ones of the account', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const [used, left] = [await resetOf(one.email), await resetOf(one.email)];
    const strange = await resetOf(other.email);
    assert.equal((await reset(used, 'one of their own')).status, 200);
    assert.equal((await reset(left, 'one of a stranger')).status, 404);
    assert.equal((await reset(strange, 'one of their own')).status, 200);
  });
});

describe('the first proof of an address', () => {
  const prove = async (agent: Member) => {
    const token = await makeToken(majlis, { kind: 'reset', email: agent.email });
    const browser = openBrowser(majlis);
    const { status } = await browser.post('/password/reset', { token, password: 'one of their own' });
    return { status, ended: (await browser.get('/session')).body.person.proof?.ended };
  };

  it('names what the account had, and nothing that it had not', async () => {
    const agent = await newAgent();
    await majlis.sql(`update people set proven_at = null where id = ${personOf(agent)}`);
    await agent.post('/sign-out');
    assert.deepEqual(await prove(agent), { status: 200, ended: ['password'] });
  });

  it('is no news for an account that had nothing', async () => {
    const agent = await newAgent();
    await majlis.sql(`update people set proven_at = null, password_hash = null where id = ${personOf(agent)}`);
    await agent.post('/sign-out');
    const refusal = { on: 'before insert on jobs', when: "new.kind = 'people.mail_proof'", body: "raise 'an e-mail';" };
    assert.deepEqual(await withTrigger(majlis, refusal, () => prove(agent)), { status: 200, ended: undefined });
  });
});
