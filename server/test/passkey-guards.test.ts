import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthenticator } from '@majlis/testing/authenticator';
import { joinWorkspace, openBrowser } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const origin = 'https://desk.example';
const majlis = await startTestService({ env: { PUBLIC_URL: origin, RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();

/** A device with a passkey of a new agent. */
async function register() {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const device = createAuthenticator({ origin });
  const add = async () => {
    const { body } = await agent.post('/passkeys/begin');
    return agent.post('/passkeys', { name: 'Phone', response: device.register(body.options) });
  };
  const { status, body } = await add();
  assert.equal(status, 201, JSON.stringify(body));
  return { agent, device, add, id: parseId('passkey', body.id)! };
}

async function beginSignIn() {
  const browser = openBrowser(majlis);
  const { body } = await browser.post('/sign-in/passkey/begin');
  return { browser, options: body.options };
}

describe('a passkey', () => {
  it('is registered once', async () => {
    const { agent, add } = await register();
    const { status, body } = await add();
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/response'], JSON.stringify(body));
    assert.equal((await agent.get('/passkeys')).body.data.length, 1);
  });

  it('is refused where another request uses a higher counter at this moment', async () => {
    const { device, id } = await register();
    const { browser, options } = await beginSignIn();
    const use = `update passkeys set counter = 100 where id = '${id}'`;
    const { status, body } = await whileHeld(majlis, use, async (held) => {
      const answer = browser.post('/sign-in/passkey', device.prove(options));
      await untilWaiting(majlis, 1, 'update passkeys');
      await held.commit();
      return answer;
    });
    assert.deepEqual([status, body.code], [401, 'sign_in_failed']);
  });

  it('needs no handle of its person, which some devices leave out', async () => {
    const { device } = await register();
    const { browser, options } = await beginSignIn();
    const proof = device.prove(options, { userHandle: '' });
    delete proof.response.userHandle;
    assert.equal((await browser.post('/sign-in/passkey', proof)).status, 200);
  });

  it('is refused where its answer names no challenge, or cannot be read', async () => {
    const { device } = await register();
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    for (const data of ['{}', '{"challenge":1}', 'nonsense']) {
      const { browser, options } = await beginSignIn();
      const proof = device.prove(options);
      proof.response.clientDataJSON = encode(data);
      const { status, body } = await browser.post('/sign-in/passkey', proof);
      assert.deepEqual([data, status, body.code], [data, 401, 'sign_in_failed']);
    }
  });
});
