import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContext, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { role: 'supervisor', name: 'Omar' });
await omar.at('PATCH', '/notification-settings', { desktop: true, conversations: 'all', quiet_hours: null });
const pages = await openPages(majlis);

const words = {
  en: {
    reply: 'Reply to the customer',
    merge: 'Merge',
    account: /Your account/,
    out: 'Sign out',
    email: 'E-mail address',
  },
  ar: { reply: 'الرد على العميل', merge: 'دمج', account: /حسابك/, out: 'تسجيل الخروج', email: 'البريد الإلكتروني' },
};

/** In the place of the browser's notifications, which a browser without a screen does not show. */
const notifications = `globalThis.open = new Set();
  globalThis.Notification = class extends EventTarget {
    static permission = 'granted';
    constructor(title, { body }) { super(); this.told = title + ' ' + body; open.add(this); }
    close() { open.delete(this); }
  };`;

/** What the customer wrote, and what people know of them. */
function newCustomer() {
  const digits = newDigits();
  return {
    digits,
    name: `Zuhra${digits}`,
    text: `pearl${digits}`,
    tag: `tag${digits}`,
    email: `z${digits}@mail.example`,
  };
}
type Customer = ReturnType<typeof newCustomer>;

async function writes({ digits, name, text }: Customer) {
  await postNotification(majlis, workspace, {
    contacts: [{ profile: { name }, wa_id: digits }],
    messages: [platformText(digits, text)],
  });
  const [conversation] = await eventually(
    async () => (await aisha.at('GET', `/conversations?q=${name}`)).body.data,
    (data) => data.length === 1,
  );
  return conversation as { id: string; contact_id: string };
}

/** Everything that a page holds for its person to see, also in fields. */
const shownIn = (page: Page): Promise<string> =>
  page.evaluate(`[document.title, location.href, document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea')].map((field) => field.value),
    ...[...(globalThis.open ?? [])].map(({ told }) => told)].join(' ')`);

/** Everything that stays in the browser when its tabs are closed, of each kind of storage. */
const storedIn = (page: Page): Promise<string> =>
  page.evaluate(`Promise.all([indexedDB.databases(), caches.keys(), navigator.serviceWorker.getRegistrations()])
    .then((all) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, ...all, document.cookie, history.state]))`);

function tracesOf(
  { digits, name, text, tag, email }: Customer,
  where: string,
  secrets: readonly string[] = [],
): string[] {
  return [digits, name, text, tag, email, ...secrets].filter((one) => where.includes(one));
}

/** Another tab of the same browser. */
async function tab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${majlis.url}/w/${workspace.id}${path}`);
  await page.locator('h1, h2').first().waitFor();
  return page;
}

describe('an erased contact', () => {
  for (const locale of languages) {
    it(`vanishes from every tab of another person, and was never in a storage (${locale})`, async () => {
      const customer = newCustomer();
      const { name, tag, email, text } = customer;
      const { id, contact_id } = await writes(customer);
      await aisha.at('PATCH', `/contacts/${contact_id}`, { tags: [tag], email });
      await aisha.at('POST', `/conversations/${id}/notes`, { body: `A note about ${name}` });
      // Another one, which must stay, and into which the erased one might be merged.
      const friend = newCustomer();
      const other = await writes(friend);

      const path = `/w/${workspace.id}/inbox`;
      const at = { url: majlis.url, member: omar, path, script: notifications };
      const {
        context,
        page: list,
        troubles,
      } = await openSignedIn(pages, at, {
        locale,
        viewport: { width: 1440, height: 900 },
      });
      const caches: string[] = [];
      context.on('response', (response) => {
        const { pathname } = new URL(response.url());
        const kept = response.headers()['cache-control'] ?? '';
        if (pathname.startsWith('/console/v1/') && kept !== 'no-store') caches.push(`${pathname}: ${kept}`);
      });
      const word = words[locale];
      const thread = await tab(context, `/inbox/${id}`);
      await thread.locator('aside').getByText(email).waitFor();
      await thread.getByRole('textbox', { name: word.reply }).fill(`Dear ${name}`);
      const search = await tab(context, '/inbox');
      await search.getByRole('searchbox').fill(text);
      await search.locator('a[href*="message="]').first().waitFor();
      const people = await tab(context, '/inbox');
      await people.getByRole('searchbox').fill(name);
      await people.locator('main [role=group] a').first().waitFor();
      // Seen before, and shown again from what the tab remembers.
      const again = await tab(context, '/contacts');
      await again.getByText(name).first().waitFor();
      await again.locator('nav a[href$="/board"]').first().click();
      await again.getByText(name).first().waitFor();
      const contacts = await tab(context, '/contacts');
      const contact = await tab(context, `/contacts/${contact_id}`);
      const consents = await tab(context, `/contact-consents/${contact_id}`);
      const merging = await tab(context, `/contacts/${other.contact_id}`);
      await merging.getByRole('button', { name: word.merge, exact: true }).click();
      await merging.getByRole('dialog').getByRole('searchbox').fill(name);
      await merging.getByRole('dialog').getByText(name).first().waitFor();
      const palette = await tab(context, `/inbox/${id}`);
      await palette.getByText(text).first().waitFor();
      await palette.keyboard.press('Control+k');
      await palette.getByRole('dialog').waitFor();
      const open = { list, thread, search, people, contacts, contact, consents, merging, palette, again };
      for (const [place, page] of Object.entries(open)) {
        const shows = async () => tracesOf(customer, await shownIn(page)).length > 0;
        await eventually(shows, Boolean).catch(() => assert.fail(`${place} shows nothing of the customer`));
      }
      for (const page of context.pages()) assert.deepEqual(tracesOf(customer, await storedIn(page)), []);

      assert.equal((await aisha.at('DELETE', `/contacts/${contact_id}`)).status, 204);
      const left = async () => {
        const places: Record<string, string[]> = {};
        for (const [place, page] of Object.entries(open)) {
          // What somebody typed into a search is their own.
          const fields = page.locator('input[type=search]');
          const own = (await fields.count()) > 0 ? await fields.last().inputValue() : '';
          const traces = tracesOf(customer, (await shownIn(page)).replaceAll(own || '\0', ''));
          if (traces.length > 0) places[place] = traces;
        }
        return places;
      };
      await eventually(left, (places) => Object.keys(places).length === 0).catch(async () =>
        assert.deepEqual(await left(), {}),
      );
      await list.getByText(friend.name).first().waitFor();
      await again.locator('nav a[href$="/contacts"]').first().click();
      await again.getByText(friend.name).first().waitFor();
      assert.deepEqual(tracesOf(customer, await shownIn(again)), []);
      assert.deepEqual(caches, []);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`is in no notification any more (${locale})`, async () => {
      const at = { url: majlis.url, member: omar, path: `/w/${workspace.id}/contacts`, script: notifications };
      const { context, page } = await openSignedIn(pages, at, { locale });
      const live = page.getByText(locale === 'ar' ? 'مباشر' : 'Live', { exact: true });
      await live.filter({ visible: true }).first().waitFor();
      const customer = newCustomer();
      const { contact_id } = await writes(customer);
      const open = () => page.evaluate('[...open].map(({ told }) => told)') as Promise<string[]>;
      await eventually(open, (told) => told.join() === `${customer.name} ${customer.text}`);
      assert.deepEqual(tracesOf(customer, await storedIn(page)), []);
      assert.equal((await aisha.at('DELETE', `/contacts/${contact_id}`)).status, 204);
      await eventually(open, (told) => told.length === 0);
      await context.close();
    });

    it(`leaves no trace of a send that waits, and a sign-out leaves nothing at all (${locale})`, async () => {
      const customer = newCustomer();
      const { id } = await writes(customer);
      const word = words[locale];
      // Browsers without locks keep the ids of notifications.
      const script = `${notifications} delete Navigator.prototype.locks;`;
      const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
      const at = { url: majlis.url, member, path: `/w/${workspace.id}/contacts`, script };
      const { context, page } = await openSignedIn(pages, at, { locale });
      await eventually(
        async () => {
          await writes({ ...newCustomer(), text: 'knock' });
          return storedIn(page);
        },
        (stored) => stored.includes('majlis-notices'),
      );
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${id}`);
      await page.route('**/conversations/*/messages', (route) => route.abort());
      const reply = page.getByRole('textbox', { name: word.reply });
      for (const text of [`Dear ${customer.name}`, 'again']) {
        await reply.fill(text);
        await reply.press('Enter');
      }
      const waiting = await eventually(
        () => storedIn(page),
        (stored) => stored.includes('majlis-send-'),
      );
      assert.deepEqual(tracesOf(customer, waiting, ['Dear', 'again', 'knock']), []);
      await page.getByRole('button', { name: word.account }).click();
      await page.getByRole('menuitem', { name: word.out }).click();
      await page.getByLabel(word.email).waitFor();
      await eventually(
        () => page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
        (left) => left === '[{},{}]',
      );
      await context.close();
    });
  }
});
