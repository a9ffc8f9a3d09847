import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { Secret, TOTP } from 'otpauth';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', SHORT_TEXT_MAX: '2000' } });
const workspace = await majlis.workspace();

/** From now on, a sign-in with the password awaits a code. */
async function setUpApp(person: Member): Promise<void> {
  const { body } = await person.post('/totp');
  const timestamp = Date.parse((await majlis.operator('GET', '/clock')).body.now);
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp });
  assert.equal((await person.request('PUT', '/totp', { code })).status, 200);
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
