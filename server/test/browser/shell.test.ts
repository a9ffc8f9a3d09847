import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let owner: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

const phone = { viewport: { width: 390, height: 800 } };
const open = (member: Member, path: string, options: BrowserContextOptions = {}) =>
  openSignedIn(pages, { url: majlis.url, member, path }, options);
const titled = (page: Page, title: string) =>
  eventually(
    () => page.title(),
    (text) => text === title,
  );
const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`);

describe('an address without a workspace', () => {
  it('leads to the page that it means, typed and reloaded', async () => {
    const { page, context } = await open(owner, '/');
    for (const [path, target] of [
      ['/inbox', `/w/${workspace.id}/inbox`],
      ['/login', `/w/${workspace.id}/inbox`],
      ['/settings', `/w/${workspace.id}/workspace`],
    ] as const) {
      await page.goto(`${majlis.url}${path}`);
      await page.waitForURL(`${majlis.url}${target}`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await context.close();
  });

  it('shows a stranger the sign-in, and then the page', async () => {
    const { page, context } = await pages.open();
    await page.goto(`${majlis.url}/settings`);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${majlis.url}/w/${workspace.id}/workspace`);
    await context.close();
  });
});

describe('the title of the tab', () => {
  for (const [locale, signIn, inbox, members, profile] of [
    ['en', 'Sign in · Majlis', 'Inbox · Majlis', 'People · Majlis', 'Your profile · Majlis'],
    ['ar', 'تسجيل الدخول · مجلس', 'صندوق الوارد · مجلس', 'الأشخاص · مجلس', 'ملفك الشخصي · مجلس'],
  ] as const) {
    it(`names the page (${locale})`, async () => {
      const { page: stranger } = await pages.open({ locale });
      await stranger.goto(majlis.url);
      await titled(stranger, signIn);
      const { page, context } = await open(owner, `/w/${workspace.id}/inbox`, { locale });
      await titled(page, inbox);
      await page.goto(`${majlis.url}/w/${workspace.id}/members`);
      await titled(page, members);
      await page.goto(`${majlis.url}/profile`);
      await titled(page, profile);
      await context.close();
    });
  }
});

describe('the navigation of a phone', () => {
  it('keeps the focus while it is open, and Escape closes it', async () => {
    const { page, context } = await open(owner, `/w/${workspace.id}/inbox`, phone);
    const button = page.getByRole('button', { name: 'Menu', exact: true });
    await button.click();
    const navigation = page.getByRole('navigation', { name: 'Workspace' });
    await navigation.waitFor();
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const isBehind = await page.evaluate(`document.activeElement.closest('main, [class*=skip]') !== null`);
      assert.equal(isBehind, false, await focused(page));
    }
    await navigation.getByRole('link', { name: 'Contacts' }).focus();
    await page.keyboard.press('Escape');
    await navigation.waitFor({ state: 'hidden' });
    assert.equal(await focused(page), 'Menu');
    await context.close();
  });
});

describe('a page that a person may not open any more', () => {
  it('says so after a lost role, and after the person was removed from the workspace', async () => {
    const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const other = await majlis.workspace({ users: [] });
    const { page, context } = await open(member, `/w/${workspace.id}/webhooks`);
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await owner.at('PATCH', `/members/${member.user_id}`, { role: 'agent' });
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await page.goto(`${majlis.url}/w/${other.id}/inbox`);
    await page.getByRole('heading', { name: 'You do not belong to this workspace' }).waitFor();
    await page.goto(`${majlis.url}/w/${workspace.id}/no-such-page`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await context.close();
  });

  it('waits for no connection once the person has no workspace', async () => {
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { page, context } = await open(member, `/w/${workspace.id}/inbox`);
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' });
    await owner.at('DELETE', `/members/${member.user_id}`);
    await page.getByRole('heading', { name: 'You belong to no workspace' }).waitFor();
    assert.equal(await page.getByText('Connecting…').count(), 0);
    await context.close();
  });
});

describe('a person who sees own teams alone', () => {
  it('is offered nothing that reaches customers of all teams', async () => {
    const supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const places = async (page: Page): Promise<string[]> =>
      (await page.locator('nav').first().getByRole('link').allTextContents()).map((text) => text.trim());
    const { page, context } = await open(supervisor, `/w/${workspace.id}/contacts`);
    await page.getByRole('button', { name: 'Import' }).waitFor();
    assert.ok((await places(page)).includes('Broadcasts'));
    await owner.at('PATCH', `/members/${supervisor.user_id}`, { own_teams_only: true });
    await page.getByRole('button', { name: 'Import' }).waitFor({ state: 'detached' });
    assert.ok(!(await places(page)).includes('Broadcasts'));
    await page.keyboard.press('Control+k');
    await page.getByRole('menuitem', { name: 'Go to: Contacts' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: /Broadcasts/ }).count(), 0);
    for (const path of ['broadcasts', 'contacts/import']) {
      await page.goto(`${majlis.url}/w/${workspace.id}/${path}`);
      await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    }
    await context.close();
  });
});

describe('a sign-out without a network', () => {
  it('says that it did not work, and leaves the person signed in', async () => {
    const { page, context } = await open(owner, `/w/${workspace.id}/inbox`);
    const account = page.getByRole('button', { name: /Your account/ });
    await account.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    // The region of the toasts is loaded with the first one.
    await page.route('**/console/v1/sign-out', (route) => route.abort('internetdisconnected'));
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('No connection to Majlis').first().waitFor();
    await account.waitFor();
    await context.close();
  });
});

describe('a change of the language', () => {
  it('shows every word in the other language at once, before and after the sign-in', async () => {
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { page, context } = await pages.open();
    await page.goto(majlis.url);
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    await page.goto(`${majlis.url}/profile`);
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('option', { name: 'العربية' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'ملفك الشخصي' }).waitFor();
    await page.locator('nav').first().getByText('صندوق الوارد', { exact: true }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
    await context.close();
  });
});

describe('a form', () => {
  it('says in the language of the console what is missing, and takes the focus there', async () => {
    const { page, context } = await pages.open({ locale: 'ar' });
    await page.goto(majlis.url);
    const email = page.locator('input[name=email]');
    await email.fill('not an address');
    await page.locator('button[type=submit]').click();
    await page.getByText('أدخل بريدًا إلكترونيًا').waitFor();
    await page.getByText('املأ هذا الحقل').waitFor();
    await eventually(
      () => page.evaluate(`document.activeElement.name`),
      (name) => name === 'email',
    );
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    await email.fill('somebody@acme.example');
    assert.equal(await page.getByText('أدخل بريدًا إلكترونيًا').count(), 0);
    await context.close();
  });

  it('is sent once by a double Enter', async () => {
    const { page, context } = await open(owner, `/w/${workspace.id}/members`);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail address').fill('once@acme.example');
    let sent = 0;
    await page.route('**/invitations', async (route) => {
      if (route.request().method() === 'POST') sent++;
      await route.continue();
    });
    await page.evaluate(`{
      const form = document.querySelector('[role=dialog] form');
      form.requestSubmit();
      form.requestSubmit();
    }`);
    await page.getByText('once@acme.example').first().waitFor();
    assert.equal(sent, 1);
    const invitations = (await owner.at('GET', '/invitations')).body.data;
    assert.equal(invitations.filter((one: { email: string }) => one.email === 'once@acme.example').length, 1);
    await context.close();
  });

  it('is pressed by one click after a refusal', async () => {
    const stranger = openBrowser(majlis);
    assert.equal((await stranger.get('/session')).status, 401);
    const { page, context } = await pages.open();
    await page.goto(majlis.url);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    const submit = page.getByRole('button', { name: 'Sign in', exact: true });
    await submit.click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    const { x, y, width, height } = (await submit.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await drawn(page);
    await page.mouse.up();
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    await context.close();
  });

  it('names a long wait in minutes', async () => {
    const { page, context } = await pages.open();
    await page.goto(majlis.url);
    await page.route('**/console/v1/sign-in', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const body = JSON.stringify({ code: 'rate_limited', detail: '', title: '', status: 429 });
      await route.fulfill({ status: 429, headers: { 'retry-after': '898' }, contentType: 'application/json', body });
    });
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Wait 15 minutes').waitFor();
    await context.close();
  });
});
