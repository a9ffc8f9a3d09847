import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { freePort } from '@majlis/testing/free-port';
import { startIssuer } from '@majlis/testing/identity-provider';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, makeToken, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

// A passkey belongs to a host name, and a browser takes plain http for localhost alone.
const port = await freePort();
const url = `http://localhost:${port}`;
const issuer = await startIssuer({ redirect_uri: `${url}/console/v1/sign-in/oidc/callback` });
const majlis = await startTestService({ env: { PORT: String(port), PUBLIC_URL: url, ...issuer.settings } });
const workspace = await majlis.workspace();
const name: string = workspace.applied.workspace.name;
const pages = await openPages({ url });

/** A device with a fingerprint that always matches. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
}

describe('signing in to the console', () => {
  it('works with a passkey, which is added, named, used as a confirmation and removed', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { page, troubles } = await pages.open();
    await addAuthenticator(page);
    await signIn(page, agent.email);
    await page.goto(`${url}/security`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('not used yet').waitFor();

    await page.context().clearCookies();
    // Whatever the address names, the person stays at this service: another origin would be a trouble.
    await page.goto(`${url}/security?return_to=//evil.example/&next=https://evil.example/&redirect=/%5Cevil.example`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('last used').waitFor();
    await page.getByText('Signed in with a passkey').waitFor();

    await majlis.advance(601);
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('last used').waitFor({ state: 'detached' });
    assert.deepEqual(troubles, []);
  });

  it('says that no passkey was used, and lets the person choose another way', async () => {
    const { page } = await pages.open();
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await page.evaluate(`navigator.credentials.get = async () => {
      throw new DOMException('refused', 'NotAllowedError');
    }`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
  });

  it('works with the identity provider, also as a confirmation in a window of its own', async () => {
    const email = 'sara@acme.example';
    issuer.account = { sub: 'sara', claims: { email, email_verified: true, name: 'Sara' } };
    const token = await makeToken(majlis, { kind: 'invitation', workspace: name, email, role: 'admin' });
    const { page, troubles } = await pages.open();
    await page.goto(`${url}/join?return_to=//evil.example/&next=https://evil.example/#${token}`);
    await page.getByRole('button', { name: /Continue with .*Acme ID/ }).click();
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();

    await majlis.advance(601);
    await page.goto(`${url}/security`);
    await page.getByText('Signed in with the identity provider').waitFor();
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Save' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: /Continue with .*Acme ID/ }).click();
    const popup = await opened;
    await eventually(() => popup.isClosed(), Boolean);
    await page.getByText('The password is changed').waitFor();
    assert.deepEqual(
      troubles.filter((trouble) => !trouble.startsWith(`left the service: ${issuer.url}/`)),
      [],
    );
  });

  it('says in both languages why the identity provider did not sign a person in', async () => {
    const { page } = await pages.open();
    await page.goto(`${url}/w/${workspace.id}/members`);
    issuer.account = { sub: 'x', claims: { email: 'stranger@acme.example', email_verified: true } };
    await page.getByRole('button', { name: /Continue with/ }).click();
    await page.getByRole('alert').getByText('Ask an administrator for an invitation').waitFor();
    const { page: arabic } = await pages.open({ locale: 'ar' });
    await arabic.goto(`${url}/?failed=oidc_unavailable`);
    await arabic.getByRole('alert').getByText('مزوّد الهوية لا يستجيب').waitFor();
  });

  it('tells on another address where passkeys work', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { page } = await pages.open();
    await page.context().request.post(`http://127.0.0.1:${port}/console/v1/sign-in`, {
      data: { email: agent.email, password },
    });
    await page.goto(`http://127.0.0.1:${port}/security`);
    await page.getByText(/Passkeys work at .*localhost/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  });
});
