import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let aisha: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace);
});

async function receive(name: string, text = 'Hello'): Promise<string> {
  const wa_id = newDigits();
  const body = { contacts: [{ profile: { name }, wa_id }], messages: [platformText(wa_id, text)] };
  await postNotification(majlis, workspace, body);
  const data = await eventually(
    async () => (await aisha.at('GET', '/conversations?limit=100')).body.data,
    (all) => all.some(({ contact_handle }: { contact_handle: string }) => contact_handle === `+${wa_id}`),
  );
  return data.find(({ contact_handle }: { contact_handle: string }) => contact_handle === `+${wa_id}`).id;
}
const open = (path: string, options: BrowserContextOptions = {}) =>
  openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}${path}` }, options);
const row = (page: Page, name: string) => page.locator('main li a[data-id]').filter({ hasText: name });

describe('a tab of an older version', () => {
  it('is told to reload, and its draft is there afterwards', async () => {
    const id = await receive('Draft');
    const { page, context } = await open('/inbox');
    await page.getByText('A newer version of Majlis').waitFor({ state: 'detached' });
    await page.route('**/w/**', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(majlis-build" content=")[0-9a-f]+/, '$1000000000000');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${id}`);
    const reload = page.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    await page.locator('textarea:read-write').fill('half a sentence');
    await page.unroute('**/w/**');
    // Until then, the old page shows the text still.
    const loaded = page.waitForEvent('load');
    await reload.click();
    await loaded;
    await eventually(
      () => page.locator('textarea:read-write').inputValue(),
      (text) => text === 'half a sentence',
    );
    assert.equal(await reload.count(), 0);
    await context.close();
  });

  it('offers a reload where a part is not there any more, and not an error', async () => {
    const { page, context } = await open('/inbox', { locale: 'ar' });
    await page.route('**/assets/canned-replies-page*', (route) => route.fulfill({ status: 404, body: 'not found' }));
    await page.locator('nav a[href$="/canned-replies"]').click();
    await page.getByText('تعذّر تحميل هذا الجزء').waitFor();
    await page.unroute('**/assets/canned-replies-page*');
    await page.getByRole('button', { name: 'إعادة التحميل' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.match(page.url(), /canned-replies$/);
    await context.close();
  });

  for (const answer of [
    { status: 404, body: 'not found' },
    { status: 200, contentType: 'text/html', body: '<!doctype html>' },
  ]) {
    it(`keeps the page and what is written where a part within it is missing (${answer.status})`, async () => {
      const id = await receive('Missing part');
      const { page, context } = await open(`/inbox/${id}`);
      const box = page.locator('textarea:read-write');
      await box.fill('half a sentence');
      for (const part of ['later-menu', 'palette']) {
        await page.route(`**/assets/${part}-*.js`, (route) => route.fulfill(answer));
      }
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByText('Majlis was updated, or the connection was lost').waitFor();
      await box.press('End');
      await page.keyboard.press('Control+KeyK');
      // The keys that the palette would have taken come to the field again.
      await eventually(
        async () => {
          await page.keyboard.type('.');
          return box.inputValue();
        },
        (text) => text.startsWith('half a sentence.'),
      );
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload' }).click();
      await loaded;
      await eventually(
        () => box.inputValue(),
        (text) => text.startsWith('half a sentence.'),
      );
      await context.close();
    });
  }

  it('keeps the page and what is written where a line above the list is missing', async () => {
    const id = await receive('Missing line');
    const { page, context } = await open(`/inbox/${id}`);
    const box = page.locator('textarea:read-write');
    await box.fill('half a sentence');
    await page.route('**/assets/bulk-bar-*.js', (route) => route.fulfill({ status: 404, body: 'not found' }));
    await page.getByRole('checkbox', { name: /Missing line/ }).dispatchEvent('click');
    await page.getByText('Majlis was updated, or the connection was lost').waitFor();
    assert.equal(await box.inputValue(), 'half a sentence');
    await context.close();
  });

  for (const locale of languages) {
    it(`tells what was done, and takes it back, where the part that shows messages is missing, in ${locale}`, async () => {
      const id = await receive(`No toasts ${locale}`);
      const readAssignee = async () => (await aisha.at('GET', `/conversations/${id}`)).body.assignee_id;
      await aisha.at('POST', `/conversations/${id}/assign`, { assignee_id: null });
      const { page, context } = await open('/inbox', { locale });
      await page.route('**/assets/toast-region-*.js', (route) => route.fulfill({ status: 404, body: 'not found' }));
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${id}`);
      await page.locator('textarea:read-write').waitFor();
      await pressUntilTaken(page, 'Shift+KeyA');
      await page
        .locator('[data-kind=success]')
        .getByRole('button', { name: locale === 'en' ? 'Undo' : 'تراجع' })
        .click();
      await eventually(readAssignee, (assignee_id) => assignee_id === undefined);
      await page.getByText(locale === 'en' ? 'Undone.' : 'تم التراجع.', { exact: true }).waitFor();
      await context.close();
    });
  }

  it('offers a stranger a reload too, whose page has no stream that would tell of a connection', async () => {
    const { page, context } = await pages.open({ locale: 'en' });
    await page.route('**/assets/join-page*', (route) => route.fulfill({ status: 404, body: 'not found' }));
    await page.goto(`${majlis.url}/join`);
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    await context.close();
  });
});

describe('long things in the list', () => {
  for (const [locale, width] of [
    ['en', 1280],
    ['ar', 360],
  ] as const) {
    it(`stay inside their rows, in ${locale} at ${width} px`, async () => {
      const names = [
        'W'.repeat(200),
        'اسم طويل جدا '.repeat(15).trim(),
        '👩‍👩‍👧‍👦'.repeat(40),
        'a\u200D\u202E\u2066'.repeat(40),
      ];
      const text = `${'x'.repeat(5_000)} ${'كلمة '.repeat(1_000)}`.slice(0, 10_000);
      const ids: string[] = [];
      for (const name of names) ids.push(await receive(name, text));
      const { data } = (await aisha.at('GET', '/conversations?limit=10')).body;
      const tags = Array.from({ length: 500 }, (_, n) => `tag ${n}`);
      for (const { contact_id } of data) await aisha.at('PATCH', `/contacts/${contact_id}`, { tags });
      const { page, context, troubles } = await open('/inbox', { locale, viewport: { width, height: 800 } });
      for (const id of ids) await page.locator(`main li a[data-id="${id}"]`).waitFor();
      const sizes = (await page.evaluate(`({
        page: document.documentElement.scrollWidth - innerWidth,
        list: [...document.querySelectorAll('main li a[data-id]')].map((row) => [row.offsetHeight, row.scrollWidth - row.clientWidth]),
      })`)) as { page: number; list: [number, number][] };
      assert.ok(sizes.page <= 0, `the page is ${sizes.page} px too wide`);
      assert.ok(sizes.list.length >= names.length);
      assert.deepEqual(
        sizes.list.filter(([height, beyond]) => height !== sizes.list[0]![0] || beyond > 0),
        [],
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});

describe('the times of the console', () => {
  // Later than the others: their messages have the time of the platform.
  before(() => majlis.advance(20.5 * 3_600));
  for (const days of [-1, 1]) {
    it(`follow the clock of the service where that of the browser is ${days} day off`, async () => {
      const name = `Clock ${newDigits()}`;
      const id = await receive(name);
      const now = Date.parse((await aisha.get('/session')).body.now);
      const { last_message_at } = (await aisha.at('GET', `/conversations/${id}`)).body;
      const { page, context } = await open('/inbox');
      await page.clock.install({ time: Date.now() + days * 86_400_000 });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${id}`);
      // 24 hours after the message, 20.5 of which are over by the clock of the service.
      await page.getByText(/3 h/).first().waitFor();
      await page.locator('textarea:read-write').waitFor();
      const isToday = new Date(last_message_at).toDateString() === new Date(now).toDateString();
      const shown = await row(page, name).locator('time').innerText();
      assert.match(shown, isToday ? /^\d{1,2}:\d\d/ : /^[A-Z][a-z]{2} \d{1,2}$/);
      await context.close();
    });
  }
});
