import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { Secret, TOTP } from 'otpauth';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', SHORT_TEXT_MAX: '2000' } });
const workspace = await majlis.workspace();

/** From now on, a sign-in with the password awaits a code. Answers recovery codes. */
async function setUpApp(person: Member): Promise<string[]> {
  const { body } = await person.post('/totp');
  const timestamp = Date.parse((await majlis.operator('GET', '/clock')).body.now);
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp });
  const { status, body: enabled } = await person.request('PUT', '/totp', { code });
  assert.equal(status, 200);
  return enabled.recovery_codes;
}

/** Their statuses, of requests that have all read what they need when the first of them changes the person. */
async function atOnce(email: string, requests: readonly (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const answers = await whileHeld(majlis, `select from people where email = '${email}' for update`, async (held) => {
    const sent = requests.map((request) => request());
    await untilWaiting(majlis, sent.length, 'people');
    await held.release();
    return Promise.all(sent);
  });
  return answers.map(({ status }) => status).toSorted();
}

describe('a sign-in', () => {
  it('names its browser once, after the second factor alone, and takes no name that it did not give', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const from = async (device: string | undefined) => {
      const browser = openBrowser(majlis);
      if (device !== undefined) browser.cookies.set('majlis_device', device);
      const { status } = await browser.post('/sign-in', { email: agent.email, password });
      assert.equal(status, 200, device);
      return browser.cookies.get('majlis_device');
    };
    const device = (await from(undefined))!;
    assert.equal(await from(device), device);
    const [id, mac] = device.split('.');
    for (const strange of ['x', 'x.', `${id}`, `.${mac}`, `${id}.${mac!.slice(1)}`, `${mac}.${id}`]) {
      const given = await from(strange);
      assert.match(given!, /^[\w-]{22}\.[\w-]{43}$/);
      assert.notEqual(given, device);
    }
    await setUpApp(agent);
    assert.equal(await from(undefined), undefined);
  });

  it('is nobody yet for a link while it awaits its code', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const other = await majlis.workspace();
    const token = await makeToken(majlis, {
      ...{ kind: 'invitation', workspace: other.applied.workspace.name },
      ...{ email: agent.email, role: 'agent' },
    });
    assert.equal((await agent.post('/links/read', { token })).body.is_yours, true);
    await setUpApp(agent);
    const halfway = openBrowser(majlis);
    const { body } = await halfway.post('/sign-in', { email: agent.email, password });
    assert.equal(body.state, 'second_factor');
    assert.equal((await halfway.post('/links/read', { token })).body.is_yours, false);
    assert.equal((await halfway.post('/invitations/accept', { token })).status, 401);
  });

  it('by a link for a new password happens once, of two that use it at the same moment', async () => {
    const { email } = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const token = await makeToken(majlis, { kind: 'reset', email });
    const reset = () => openBrowser(majlis).post('/password/reset', { token, password: 'a new one for both' });
    assert.deepEqual(await atOnce(email, [reset, reset]), [200, 404]);
  });

  it('by a code happens once, of two codes that it is given at the same moment', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const codes = await setUpApp(agent);
    const halfway = openBrowser(majlis);
    await halfway.post('/sign-in', { email: agent.email, password });
    const [one, two] = codes.map((code) => () => halfway.post('/sign-in/code', { code }));
    assert.deepEqual(await atOnce(agent.email, [one!, two!]), [200, 401]);
  });

  it('keeps the app that is in use: another one needs its removal', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { body } = await agent.post('/totp');
    const timestamp = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const app = new TOTP({ secret: Secret.fromBase32(body.secret) });
    const enable = (at: number) => agent.request('PUT', '/totp', { code: app.generate({ timestamp: at }) });
    assert.equal((await agent.request('PUT', '/totp', { code: '000000' })).status, 401);
    assert.equal((await enable(timestamp)).status, 200);
    assert.equal((await enable(timestamp + 30_000)).status, 422);
    assert.equal((await agent.post('/totp')).status, 422);
  });

  it('takes an address and a password of 1,000 characters at most', async () => {
    const tries = [
      ['nobody@acme.example', 'p'.repeat(1_000), 401],
      ['nobody@acme.example', 'p'.repeat(1_001), 422],
      ['n'.repeat(1_000), password, 401],
      ['n'.repeat(1_001), password, 422],
    ] as const;
    for (const [email, given, expected] of tries) {
      const { status } = await openBrowser(majlis).post('/sign-in', { email, password: given });
      assert.equal(status, expected, `${email.length} and ${given.length} characters`);
    }
  });
});
