import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { listen } from '@majlis/testing/listen';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, makeToken, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const name: string = workspace.applied.workspace.name;
// A person signs in ten times in a quarter of an hour at most.
const [owner, other] = [await joinWorkspace(majlis, workspace), await joinWorkspace(majlis, workspace)];
await receiveText(majlis, workspace, newDigits());
const pages = await openPages(majlis);

const places = ['inbox', 'members', 'api-keys', 'audit'].map((place) => `/w/${workspace.id}/${place}`);
const allPages = [
  '/',
  ...places,
  '/profile',
  '/security',
  '/guide',
  '/forgot',
  '/join',
  '/reset',
  '/enter',
  '/confirmed',
  '/parts',
];

/** Addresses that name another site in every way that browsers have read as one. */
const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  'https:evil.example/',
  '/%2f%2fevil.example/',
  '/%5cevil.example/',
  '/\t/evil.example/',
  'javascript:document.title="run"',
];
const members = ['return_to', 'returnTo', 'next', 'redirect', 'url', 'continue', 'failed', 'view', 'message'];
const queryTo = (to: string) => new URLSearchParams(members.map((member): [string, string] => [member, to]));
const hostile = [
  ...elsewhere.map((to, n) => `${n % 2 === 0 ? '/' : places[0]}?${queryTo(to)}`),
  '/w//evil.example/inbox',
  '/w/%2f%2fevil.example/inbox',
  '/w/%5c%5cevil.example/inbox',
  '/w/https:%2f%2fevil.example',
  '/w/javascript:alert(1)/inbox',
  '/w/..%2f..%2f%2fevil.example',
  '/confirmed?failed=https://evil.example',
];

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('E-mail address').waitFor({ state: 'detached' });
}

/** The page is of this service, has run nothing of its address, and has asked nobody else. */
async function assertStayed(page: Page, troubles: readonly string[], label: string): Promise<void> {
  assert.equal(new URL(page.url()).origin, majlis.url, label);
  assert.notEqual(await page.title(), 'run', label);
  const strange = await page.evaluate(
    `[...document.querySelectorAll('a[href]')].map((one) => one.href).filter((href) => new URL(href).origin !== location.origin)`,
  );
  assert.deepEqual(strange, [], label);
  assert.deepEqual(troubles, [], label);
}

describe('a sign-in', () => {
  it('with a password stays at this service, whatever the address names', async () => {
    const { page, context, troubles } = await pages.open();
    for (const [n, address] of hostile.entries()) {
      await context.clearCookies();
      await page.goto(majlis.url + address);
      if (!address.startsWith('/confirmed')) await fillIn(page, n < 9 ? owner.email : other.email);
      await assertStayed(page, troubles, address);
    }
  });

  it('with a link of the command line stays at this service', async () => {
    for (const to of elsewhere) {
      const { page, context, troubles } = await pages.open();
      const order = { kind: 'sign_in', workspace: name, email: owner.email, role: 'owner' };
      const token = await makeToken(majlis, order);
      await page.goto(`${majlis.url}/enter?${queryTo(to)}#${token}`);
      await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
      await assertStayed(page, troubles, to);
      await context.close();
    }
  });
});

describe('every page of the console', () => {
  it('asks nobody but the service, and breaks none of its own rules', async () => {
    const { page, context, troubles } = await pages.open();
    for (const signedIn of [false, true]) {
      if (signedIn) {
        await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
      }
      for (const place of allPages) {
        await page.goto(majlis.url + place);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
      }
    }
    assert.deepEqual(troubles, []);
  });

  it('runs no script that came in as a text, and writes no HTML', async () => {
    const { page, context } = await pages.open();
    await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
    for (const place of allPages) {
      await page.goto(majlis.url + place);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const outcome = await page.evaluate(`(async () => {
        const refused = (act) => { try { act(); return false; } catch { return true; } };
        const element = document.createElement('div');
        document.body.append(element);
        const script = document.createElement('script');
        refused(() => { script.append('window.ran = true'); document.body.append(script); });
        refused(() => { element.setAttribute('onclick', 'window.ran = true'); element.click(); });
        await new Promise((resolve) => setTimeout(resolve, 50));
        return {
          html: refused(() => { element.innerHTML = '<b>x</b>'; }),
          evaluated: refused(() => { window.eval('window.ran = true'); }),
          source: refused(() => { document.createElement('script').src = 'data:,x'; }),
          policy: refused(() => { trustedTypes.createPolicy('any', { createHTML: (text) => text }); }),
          ran: window.ran === true,
        };
      })()`);
      assert.deepEqual(
        outcome,
        { html: true, evaluated: true, source: true, policy: true, ran: false },
        `${place}: ${JSON.stringify(outcome)}`,
      );
    }
  });

  it('is shown in no frame of another site', async () => {
    const frames = allPages.map((place) => `<iframe src="${majlis.url}${place}"></iframe>`).join('');
    const thief = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><h1>Win a prize</h1>${frames}`);
    });
    const { page, context } = await pages.open();
    await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
    await page.goto(await listen(thief));
    await eventually(
      async () => page.frames().length,
      (count) => count === allPages.length + 1,
    );
    // Chromium shows a page of its own in the place of a refused frame.
    const shown = async () => page.frames().map((frame) => frame.url().split('/')[0]);
    await eventually(shown, (all) => all.slice(1).every((scheme) => scheme === 'chrome-error:'));
    thief.close();
  });
});
