import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member, password } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let aisha: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

/** In the place of the browser's notifications, which a browser without a screen does not show. */
const standIn = (permission: string) => `
  globalThis.told = [];
  globalThis.asked = 0;
  globalThis.sounds = 0;
  // How often this tab asked whether a notification is its own: by a lock, or by a reading of the storage that no writing follows.
  globalThis.claims = 0;
  const follow = (of, name, isClaim, by) => {
    const method = of?.prototype[name];
    if (method) of.prototype[name] = function (...given) {
      if (isClaim.test(given[0])) globalThis.claims += by;
      return method.apply(this, given);
    };
  };
  follow(globalThis.LockManager, 'request', /^majlis-notice-/, 1);
  follow(Storage, 'getItem', /^majlis-notices$/, 1);
  follow(Storage, 'setItem', /^majlis-notices$/, -1);
  globalThis.Notification = class extends EventTarget {
    static permission = '${permission}';
    static async requestPermission() { globalThis.asked++; return (this.permission = 'granted'); }
    constructor(title, { body, tag }) {
      super();
      globalThis.told.push({ title, body, tag, isOpen: true, click: () => this.dispatchEvent(new Event('click')) });
    }
    close() { globalThis.told.at(-1).isOpen = false; }
  };
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...given) { globalThis.sounds++; start.apply(this, given); };`;

const writes = (handle: string, name: string, text: string) =>
  postNotification(majlis, workspace, {
    contacts: [{ profile: { name }, wa_id: handle }],
    messages: [platformText(handle, text)],
  });
const shown = { desktop: true, conversations: 'mine_and_unassigned', quiet_hours: null };
const choose = (settings: object) => aisha.at('PATCH', '/notification-settings', settings);
const toldIn = async (context: BrowserContext): Promise<AnyJson[]> =>
  (await Promise.all(context.pages().map((page) => page.evaluate('told')))).flat() as AnyJson[];
const toasts = (page: Page) => page.locator('[data-kind=notice]');
const toastsIn = async (context: BrowserContext): Promise<string[]> =>
  (await Promise.all(context.pages().map((page) => toasts(page).allInnerTexts()))).flat();
const conversationOf = async (name: string): Promise<string> => {
  const find = async () => (await aisha.at('GET', `/conversations?q=${encodeURIComponent(name)}`)).body.data;
  return (await eventually(find, (data) => data.length === 1))[0].id;
};
/** Each tab has asked for the notification of so many messages, and shows what it took. */
async function untilAllTabsHaveAsked(tabs: readonly Page[], messages: number): Promise<void> {
  for (const tab of tabs) {
    await eventually(
      () => tab.evaluate('claims'),
      (claims) => Number(claims) >= messages,
    );
  }
  // A timer of the page ends after those that it began before: by then, a tab that took one has asked the service.
  await Promise.all(tabs.map((tab) => tab.evaluate('new Promise((ended) => setTimeout(ended, 500))')));
  await eventually(
    () => asking.size,
    (count) => count === 0,
  );
}

/** The page does nothing more until the answered function is called. */
async function makeBusy(page: Page): Promise<() => Promise<void>> {
  const asked = Promise.withResolvers<Route>();
  await page.route('**/busy', asked.resolve);
  const busy = page.evaluate(`{ const call = new XMLHttpRequest(); call.open('GET', '/busy', false); call.send(); }`);
  const route = await asked.promise;
  return async () => {
    await route.fulfill({ status: 204 });
    await busy;
  };
}

/** The questions for notifications that have no answer yet. */
const asking = new Set<Request>();
const followQuestions = (context: BrowserContext) => {
  context.on('request', (request) => /\/notices\?/.test(request.url()) && asking.add(request));
  context.on('requestfinished', (request) => asking.delete(request));
  context.on('requestfailed', (request) => asking.delete(request));
};

async function openTabs(count: number, permission = 'granted', options?: BrowserContextOptions, more = '') {
  const at = { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox`, script: standIn(permission) + more };
  const opened = await openSignedIn(pages, at, options);
  followQuestions(opened.context);
  for (let tab = 1; tab < count; tab++) {
    const page = await opened.context.newPage();
    await page.goto(`${majlis.url}${at.path}`);
    await page.locator('h1').first().waitFor();
  }
  for (const page of opened.context.pages()) {
    await page
      .getByText(options?.locale === 'ar' ? 'مباشر' : 'Live', { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor();
  }
  return opened;
}

/** Of how many messages one notification tells. */
function countIn(title: string): number | undefined {
  const [, count] = /^(\d+) new messages$/.exec(title) ?? [];
  return count === undefined ? undefined : Number(count);
}

describe('a notification', () => {
  for (const [network, script] of [
    ['', ''],
    [' on plain http, where browsers have no locks', ';delete Navigator.prototype.locks;'],
  ]) {
    it(`comes once per message, though five tabs are open${network}`, async () => {
      await choose(shown);
      const { context, troubles } = await openTabs(5, 'granted', {}, script);
      const name = `Muna ${newDigits()}`;
      const handle = newDigits();
      for (const text of ['one', 'two', 'three']) {
        await writes(handle, name, text);
        await eventually(
          () => toldIn(context),
          (all) => all.some(({ body }) => body === text),
        );
      }
      await untilAllTabsHaveAsked(context.pages(), 3);
      const told = await toldIn(context);
      assert.deepEqual(told.map(({ title, body }) => [title, body]).sort(), [
        [name, 'one'],
        [name, 'three'],
        [name, 'two'],
      ]);
      assert.deepEqual(await toastsIn(context), []);
      const stored = await context.pages()[0]!.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      assert.ok(!/Muna|one|two|three/.test(String(stored).replaceAll('none', '')), String(stored));
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`does not come for what is in view in one of the tabs, however slow that one is${network}`, async () => {
      await choose(shown);
      const { context } = await openTabs(3, 'granted', {}, script);
      const name = `Salma ${newDigits()}`;
      const handle = newDigits();
      await writes(handle, name, 'first');
      await eventually(
        () => toldIn(context),
        (all) => all.length === 1,
      );
      // The first tab follows the stream for the others.
      const page = context.pages()[2]!;
      const others = context.pages().slice(0, 2);
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${await conversationOf(name)}`);
      await page.getByRole('feed').getByText('first').waitFor();
      await page.getByText('Live', { exact: true }).filter({ visible: true }).first().waitFor();
      const goOn = await makeBusy(page);
      await writes(handle, name, 'second');
      await untilAllTabsHaveAsked(others, 2);
      await goOn();
      await page.getByRole('feed').getByText('second').waitFor();
      // The first message came before this page was opened in its tab.
      await untilAllTabsHaveAsked([page], 1);
      const told = (await Promise.all(others.map((tab) => tab.evaluate('told')))).flat() as AnyJson[];
      assert.ok(!told.some(({ body }) => body === 'second'), JSON.stringify(told));
      assert.deepEqual(await page.evaluate('told'), []);
      await context.close();
    });

    it(`comes for a conversation that the person has left${network}`, async () => {
      await choose(shown);
      const { context, page } = await openTabs(2, 'granted', {}, script);
      const name = `Salma ${newDigits()}`;
      const handle = newDigits();
      const other = `Salma ${newDigits()}`;
      await writes(newDigits(), other, 'another');
      await writes(handle, name, 'first');
      const other_id = await conversationOf(other);
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${await conversationOf(name)}`);
      await page.getByRole('feed').getByText('first').waitFor();
      await page.locator(`main li a[data-id="${other_id}"]`).click();
      await page.getByRole('feed').getByText('first').waitFor({ state: 'detached' });
      await writes(handle, name, 'second');
      await eventually(
        () => toldIn(context),
        (all) => all.some(({ body }) => body === 'second'),
      );
      await context.close();
    });
  }

  it('opens its conversation, makes a sound, and goes when the conversation is read elsewhere', async () => {
    const { context, page } = await openTabs(1);
    const [first, second] = [`Layla ${newDigits()}`, `Huda ${newDigits()}`];
    await writes(newDigits(), first, 'hello');
    await eventually(
      () => toldIn(context),
      (all) => all.length === 1,
    );
    assert.ok(Number(await page.evaluate('sounds')) > 0);
    await page.evaluate('told[0].click()');
    await page.waitForURL(`**/inbox/${await conversationOf(first)}`);
    await writes(newDigits(), second, 'hello');
    await eventually(
      () => toldIn(context),
      (all) => all.length === 2,
    );
    const id = await conversationOf(second);
    const { data } = (await aisha.at('GET', `/conversations/${id}/thread`)).body;
    await aisha.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id: data[0].id });
    await eventually(
      () => toldIn(context),
      (all) => !all[1].isOpen,
    );
    await context.close();
  });

  for (const locale of languages) {
    it(`is a toast in the page where the desktop is not allowed, in ${locale}, and vanishes with an erased contact`, async () => {
      await choose({ desktop: true });
      const { context, page } = await openTabs(2, 'denied', { locale });
      const name = `Rania ${newDigits()}`;
      await writes(newDigits(), name, 'Is the villa free?');
      await eventually(
        () => toastsIn(context),
        (all) => all.length > 0,
      );
      await untilAllTabsHaveAsked(context.pages(), 1);
      const all = await toastsIn(context);
      assert.equal(all.length, 1);
      assert.ok(all[0]!.includes(name) && all[0]!.includes('Is the villa free?'));
      assert.deepEqual(await toldIn(context), []);
      const id = await conversationOf(name);
      const { contact_id } = (await aisha.at('GET', `/conversations/${id}`)).body;
      assert.equal((await aisha.post('/confirm', { password })).status, 204);
      assert.equal((await aisha.at('DELETE', `/contacts/${contact_id}`)).status, 204);
      await eventually(
        () => toastsIn(context),
        (left) => left.length === 0,
      );
      await page.evaluate('0');
      await context.close();
    });
  }

  it('counts many that come at once in one', async () => {
    const { context } = await openTabs(2);
    const customers = Array.from({ length: 20 }, () => newDigits());
    const body = {
      contacts: customers.map((wa_id) => ({ profile: { name: `Noor ${wa_id}` }, wa_id })),
      messages: customers.map((handle) => platformText(handle, 'at once')),
    };
    await postNotification(majlis, workspace, body);
    // The stream may bring them in several portions. Each is told as one, and no message is told twice.
    const told = await eventually(
      () => toldIn(context),
      (all) => all.reduce((sum, { title }) => sum + (countIn(title) ?? 1), 0) >= customers.length,
    );
    assert.equal(
      told.reduce((sum, { title }) => sum + (countIn(title) ?? 1), 0),
      customers.length,
    );
    assert.ok(told.some(({ title }) => countIn(title)! > 1));
    await context.close();
  });

  it('does not come in quiet hours, by the clock of the service, while the title counts', async () => {
    const { context, page } = await openTabs(2);
    const title = await page.title();
    const now = Date.parse((await aisha.get('/session')).body.now);
    const at = (minutes: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Muscat', hour: '2-digit', minute: '2-digit' }).format(
        now + minutes * 60_000,
      );
    await choose({ quiet_hours: { from: at(-30), until: at(30) } });
    await writes(newDigits(), 'Night', 'are you open?');
    for (const tab of context.pages()) {
      await eventually(
        () => tab.title(),
        (text) => text !== title,
      );
    }
    await untilAllTabsHaveAsked(context.pages(), 1);
    assert.deepEqual(await toldIn(context), []);
    await majlis.advance(31 * 60);
    await writes(newDigits(), 'Morning', 'are you open now?');
    await eventually(
      () => toldIn(context),
      (all) => all.length === 1,
    );
    await choose({ quiet_hours: null });
    await context.close();
  });

  it('tells the person whom a note mentions, and a colleague nothing', async () => {
    const badr = await joinWorkspace(majlis, workspace, { name: 'Badr', role: 'supervisor' });
    await badr.at('PATCH', '/notification-settings', { desktop: true });
    const own = await openTabs(2);
    const at = { url: majlis.url, member: badr, path: `/w/${workspace.id}/inbox`, script: standIn('granted') };
    const other = await openSignedIn(pages, at);
    await other.page.getByText('Live', { exact: true }).filter({ visible: true }).first().waitFor();
    const name = `Zain ${newDigits()}`;
    await writes(newDigits(), name, 'hello');
    const id = await conversationOf(name);
    await aisha.at('POST', `/conversations/${id}/assign`, { assignee_id: aisha.user_id });
    await untilAllTabsHaveAsked(own.context.pages(), 1);
    await badr.at('POST', `/conversations/${id}/notes`, { body: '@Aisha can you take it?' });
    const told = await eventually(
      () => toldIn(own.context),
      (all) => all.some(({ title }) => String(title).includes('mentioned you')),
    );
    assert.equal(told.filter(({ body }) => body === '@Aisha can you take it?').length, 1);
    assert.ok(!((await other.page.evaluate('told')) as AnyJson[]).some(({ body }) => body.includes('@Aisha')));
    await Promise.all([own.context.close(), other.context.close()]);
  });
});

describe('the settings of notifications', () => {
  for (const [locale, words] of [
    ['en', ['Notifications on the desktop', 'Allow in this browser', 'New messages of', 'My conversations']],
    ['ar', ['تنبيهات على سطح المكتب', 'السماح في هذا المتصفح', 'الرسائل الجديدة في', 'محادثاتي']],
  ] as const) {
    it(`ask the browser after the press of a button alone, and are kept, in ${locale}`, async () => {
      const [desktop, allow, conversations, mine] = words;
      await choose({ desktop: false, conversations: 'all', quiet_hours: null });
      const at = { url: majlis.url, member: aisha, path: '/profile', script: standIn('default') };
      const { page, context, troubles } = await openSignedIn(pages, at, { locale });
      await page.goto(`${majlis.url}/notifications`);
      await page.getByText(desktop).last().click();
      const button = page.getByRole('button', { name: allow });
      await button.waitFor();
      assert.equal(await page.evaluate('asked'), 0);
      await button.click();
      await button.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('asked'), 1);
      await page.getByRole('button', { name: conversations }).click();
      await page.getByRole('option', { name: mine, exact: true }).click();
      const read = async () => (await aisha.at('GET', '/notification-settings')).body;
      const kept = await eventually(read, (settings) => settings.desktop && settings.conversations === 'mine');
      assert.equal(kept.mentions, true);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
