import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, makeToken, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const name: string = workspace.applied.workspace.name;
const owner = await joinWorkspace(majlis, workspace);
await receiveText(majlis, workspace, newDigits());
const pages = await openPages(majlis);

async function signIn(page: Page, email = owner.email): Promise<void> {
  await page.goto(`${majlis.url}/`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
}

describe('the console', () => {
  it('signs a person in, shows their workspace and signs out', async () => {
    const { page, troubles } = await pages.open();
    await signIn(page);
    assert.match(page.url(), new RegExp(`/w/${workspace.id}/inbox$`));
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(troubles, []);
  });

  it('says what is wrong with a sign-in, and keeps the address', async () => {
    const { page } = await pages.open();
    await page.goto(`${majlis.url}/w/${workspace.id}/members`);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('That did not match').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });

  it('lets an invited person join, in Arabic, and leaves no token in the address', async () => {
    const token = await makeToken(majlis, {
      kind: 'invitation',
      workspace: name,
      email: 'muna@acme.example',
      role: 'agent',
    });
    const { page, troubles } = await pages.open({ locale: 'ar' });
    await page.goto(`${majlis.url}/join#${token}`);
    await page.getByLabel('اسمك').fill('منى');
    await page.getByLabel('اختر كلمة مرور').fill('short');
    await page.getByRole('button', { name: 'انضمام' }).click();
    await page.getByText('أدخل 10 أحرف على الأقل').waitFor();
    assert.ok(!page.url().includes(token));
    await page.getByLabel('اختر كلمة مرور').fill(password);
    await page.getByRole('button', { name: 'انضمام' }).click();
    await page.getByRole('heading', { name: 'المحادثات' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
    assert.deepEqual(troubles, []);
  });

  it('lets a person with an account join with its password, also where they took themselves for new', async () => {
    const { email } = await joinWorkspace(majlis, await majlis.workspace(), { role: 'agent' });
    const order = { kind: 'invitation', workspace: name, email, role: 'agent' };
    const { page } = await pages.open();
    await page.goto(`${majlis.url}/join#${await makeToken(majlis, order)}`);
    await page.getByLabel('Your name').fill('Aisha');
    await page.getByLabel('Choose a password').fill('another long password');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('This address has an account.').waitFor();
    assert.equal(await page.getByLabel('Your name').count(), 0);
    await page.getByRole('button', { name: 'I have no account yet' }).click();
    await page.getByRole('button', { name: 'I have an account already' }).click();
    await page.getByLabel('The password of your account').fill(password);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await eventually(
      () => majlis.sql(`select from users where email = $1 and person_id is not null`, [email]),
      ({ length }) => length === 2,
    );
  });

  it('makes an API key that is shown once', async () => {
    const { page } = await pages.open();
    await signIn(page);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('shop');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = await page.getByRole('textbox', { name: 'New API key' }).inputValue();
    const me = await fetch(`${majlis.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(me.status, 200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    assert.ok(!(await page.content()).includes(key));
  });

  it('asks for the password before it makes a key, ten minutes after the sign-in', async () => {
    const { page } = await pages.open();
    await signIn(page);
    await majlis.advance(601);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('later');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('textbox', { name: 'New API key' }).waitFor();
  });

  it('lets the styles of a part win over those of plain elements', async () => {
    const { page } = await pages.open({ viewport: { width: 1280, height: 800 } });
    await signIn(page);
    const colors = await page.evaluate(
      `['inbox', 'members'].map((place) => getComputedStyle(document.querySelector('nav a[href$=' + place + ']')).color)`,
    );
    assert.equal(new Set(colors as string[]).size, 2, `${colors}`);
  });

  it('keeps nothing of the workspace in the storage of the browser', async () => {
    const { page } = await pages.open();
    await signIn(page);
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.equal(stored, '{}');
  });

  it('shows the person whom it signed out elsewhere the sign-in, and brings them back', async () => {
    const { page } = await pages.open();
    await signIn(page);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await majlis.sql('delete from sessions');
    await page.getByText('You were signed out').waitFor();
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });
});
