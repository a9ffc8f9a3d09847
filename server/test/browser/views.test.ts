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
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let aisha: Member;
before(async () => {
  workspace = await majlis.workspace({
    users: [{ name: 'Omar', email: 'omar@acme.example', role: 'supervisor' }],
    teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  });
  aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

const words = {
  en: {
    more: /More/,
    make: 'New view…',
    manage: 'Manage views…',
    name: 'Name',
    assignee: /Assignee/,
    me: 'Me, whoever looks',
    share: 'Share with everybody in the workspace',
    save: 'Save',
    up: /Move .* up/,
    change: /^Change .*Mine/,
    delete: /^Delete/,
    close: 'Close',
    undo: 'Undo',
    done: 'Changed 3 conversations',
    filter: 'Filter',
    filters: 'Filters',
    tag: 'Tag',
    show: 'Show',
    keep: 'Save as view',
    remove: /^Remove the filter Tag/,
  },
  ar: {
    more: /المزيد/,
    make: 'طريقة عرض جديدة…',
    manage: 'إدارة طرق العرض…',
    name: 'الاسم',
    assignee: /المسند إليه/,
    me: 'أنا، أيًا كان من ينظر',
    share: 'مشاركتها مع كل من في مساحة العمل',
    save: 'حفظ',
    up: /نقل .* إلى أعلى/,
    change: /^تعديل .*Mine/,
    delete: /^حذف/,
    close: 'إغلاق المحادثة',
    undo: 'تراجع',
    done: 'غُيّرت 3 محادثات',
    filter: 'تصفية',
    filters: 'عوامل التصفية',
    tag: 'الوسم',
    show: 'عرض',
    keep: 'حفظ كطريقة عرض',
    remove: /^إزالة عامل التصفية الوسم/,
  },
};

async function receive(...names: string[]): Promise<AnyJson[]> {
  for (const name of names) {
    const wa_id = newDigits();
    const body = { contacts: [{ profile: { name }, wa_id }], messages: [platformText(wa_id, `from ${name}`)] };
    await postNotification(majlis, workspace, body);
  }
  return Promise.all(names.map(conversationOf));
}
const conversationOf = async (name: string): Promise<AnyJson> =>
  (
    await eventually(
      async () => (await aisha.at('GET', `/conversations?q=${encodeURIComponent(name)}`)).body.data,
      (data) => data.length === 1,
    )
  )[0];
const statusOf = async ({ id }: AnyJson) => (await aisha.at('GET', `/conversations/${id}`)).body.status;
const views = async (): Promise<AnyJson[]> => (await aisha.at('GET', '/views')).body.data;
const open = (path = '', options: BrowserContextOptions = {}) =>
  openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox${path}` }, options);
const row = (page: Page, name: string) => page.locator('main li a[data-id]').filter({ hasText: name });

for (const locale of languages) {
  const say = words[locale];
  const viewport = locale === 'ar' ? { width: 390, height: 844 } : { width: 1280, height: 800 };

  describe(`saved views, in ${locale}`, () => {
    it('are made from the shown view, counted, shared, ordered, changed and deleted', async () => {
      const names = [`Mine ${newDigits()}`, `Other ${newDigits()}`];
      const [mine] = await receive(...names);
      await aisha.at('POST', `/conversations/${mine!.id}/assign`, { assignee_id: aisha.user_id });
      const { page, context, troubles } = await open('?view=unassigned', { locale, viewport });
      const menu = async (entry: string) => {
        await page.getByRole('button', { name: say.more }).click();
        await page
          .getByRole('menuitem', { name: entry })
          .or(page.getByRole('menuitemradio', { name: entry }))
          .click();
      };
      await menu(say.make);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say.name, { exact: true }).fill('Mine, saved');
      await dialog.getByRole('button', { name: say.assignee }).click();
      await page.getByRole('option', { name: say.me }).click();
      await dialog.getByRole('button', { name: say.save }).click();
      await page.waitForURL(/view=saved/);
      await row(page, names[0]!).waitFor();
      assert.equal(await row(page, names[1]!).count(), 0);
      const [made] = await views();
      assert.deepEqual(
        [made.name, made.shared, made.filter],
        ['Mine, saved', false, { status: 'open', assignee_id: 'me' }],
      );

      await menu(say.make);
      await dialog.getByLabel(say.name, { exact: true }).fill('Second');
      await dialog.getByRole('button', { name: say.save }).click();
      await dialog.waitFor({ state: 'detached' });
      await menu(say.make);
      await dialog.getByLabel(say.name, { exact: true }).fill('For all');
      await dialog.getByText(say.share).click();
      await dialog.getByRole('button', { name: say.save }).click();
      await dialog.waitFor({ state: 'detached' });
      const named = async () => (await views()).map(({ name, shared }) => `${name} ${shared}`);
      assert.deepEqual(await named(), ['For all true', 'Mine, saved false', 'Second false']);

      await menu(say.manage);
      await dialog.getByRole('button', { name: say.up }).last().click();
      await eventually(named, (list) => list[1] === 'Second false');
      await dialog.getByRole('button', { name: say.change }).click();
      await dialog.getByLabel(say.name, { exact: true }).fill('Renamed');
      await dialog.getByRole('button', { name: say.save }).click();
      await eventually(named, (list) => list[2] === 'Renamed false');
      for (let left = 3; left > 0; left--) {
        await dialog.getByRole('button', { name: say.delete }).first().click();
        await eventually(named, (list) => list.length === left - 1);
        await eventually(
          () => dialog.getByRole('button', { name: say.delete }).count(),
          (shown) => shown === left - 1,
        );
      }
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });

  it(`says that a shown view is gone, and offers no second try, in ${locale}`, async () => {
    const { body: view } = await aisha.at('POST', '/views', { name: 'Gone soon', filter: { status: 'open' } });
    const { page, context } = await open(`?view=saved:${view.id}`, { locale, viewport });
    await page.locator('main [role=group] a, main h2').first().waitFor();
    await aisha.at('DELETE', `/views/${view.id}`);
    await page.reload();
    const gone = { en: /^This view was removed\s+All conversations$/, ar: /^أُزيلت طريقة العرض هذه\s+كل المحادثات$/ };
    const place = page.locator('main section').first().locator('h2').locator('..');
    await place.waitFor();
    assert.match((await place.innerText()).trim(), gone[locale]);
    assert.equal(await page.locator('main').getByRole('alert').count(), 0);
    await context.close();
  });

  describe(`filters, in ${locale}`, () => {
    it('stand in the address, survive a conversation and a reload, and become a saved view', async () => {
      const suffix = newDigits();
      const names = ['Gold', 'Plain'].map((name) => `${name} ${suffix}`);
      const [gold] = await receive(...names);
      const tag = `gold-${suffix}`;
      await aisha.at('PATCH', `/contacts/${gold!.contact_id}`, { tags: [tag] });
      const { page, context, troubles } = await open('', { locale, viewport });
      await row(page, names[1]!).waitFor();
      await page.getByRole('button', { name: say.filter, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say.tag, { exact: true }).fill(tag);
      await dialog.getByRole('button', { name: say.show, exact: true }).click();
      await page.waitForURL(({ search }) => search === `?status=open&tag=${tag}`);
      // The one with the tag stood in the list before, too.
      await eventually(
        () => page.locator('main li a[data-id]').count(),
        (count) => count === 1,
      );
      await row(page, names[0]!).waitFor();
      const chips = page.getByRole('list', { name: say.filters }).getByRole('listitem');
      await chips.filter({ hasText: tag }).waitFor();
      await row(page, names[0]!).click();
      await page.waitForURL(({ pathname, search }) => pathname.endsWith(gold!.id) && search.includes(`tag=${tag}`));
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox?contact_id=${gold!.contact_id}&tag=${tag}`);
      await chips.filter({ hasText: names[0]! }).waitFor();
      await page.getByRole('button', { name: say.keep }).click();
      await dialog.getByLabel(say.name, { exact: true }).fill('Kept');
      await dialog.getByRole('button', { name: say.save }).click();
      await page.waitForURL(/view=saved/);
      const [kept] = (await views()).filter(({ name }) => name === 'Kept');
      assert.deepEqual(kept!.filter, { tag, contact_id: gold!.contact_id });
      await aisha.at('DELETE', `/views/${kept!.id}`);
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox?tag=${tag}&status=open`);
      await page.getByRole('button', { name: say.remove }).click();
      await row(page, names[1]!).waitFor();
      assert.equal(new URL(page.url()).search, '?status=open');
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });

  describe(`several conversations at once, in ${locale}`, () => {
    it('are closed with one undo, and a refusal of one is told by its name', async () => {
      const suffix = newDigits();
      const names = ['Ahmed', 'Basma', 'Citra', 'Dalal'].map((name) => `${name} ${suffix}`);
      const all = await receive(...names);
      const { page, context, troubles } = await open('', { locale, viewport });
      await row(page, names[3]!).focus();
      await page.keyboard.press('x');
      for (const name of names.slice(0, 3)) {
        // By the element itself: a row may move between the measure of its place and the click.
        await page.getByRole('checkbox', { name: new RegExp(name) }).dispatchEvent('click');
      }
      // One is gone before the action comes to it.
      await aisha.post('/confirm', { password });
      await page.route(`**/${all[3].id}/close`, (route) => route.fulfill({ status: 404, json: { code: 'not_found' } }));
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: say.close, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: say.close, exact: true }).last().click();
      await page.getByRole('dialog').getByText(names[3]!).waitFor();
      assert.deepEqual(await Promise.all(all.map(statusOf)), ['closed', 'closed', 'closed', 'open']);
      await page.keyboard.press('Escape');
      await page.getByText(say.done).waitFor();
      await page.getByRole('button', { name: say.undo }).click();
      await eventually(
        () => Promise.all(all.map(statusOf)),
        (states) => states.every((state) => state === 'open'),
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}

describe('a conversation', () => {
  it('is marked as unread by a key, for this person', async () => {
    const name = `Unread ${newDigits()}`;
    const [conversation] = await receive(name);
    const { data } = (await aisha.at('GET', `/conversations/${conversation!.id}/thread`)).body;
    const path = `/conversations/${conversation!.id}/read-mark`;
    await aisha.at('PUT', path, { last_read_message_id: data[0].id });
    const { page, context } = await open();
    await row(page, name).focus();
    assert.equal(await row(page, name).getAttribute('data-unread'), null);
    await page.keyboard.press('u');
    await eventually(
      () => row(page, name).getAttribute('data-unread'),
      (unread) => unread === 'true',
    );
    await context.close();
  });

  it('is one of 1000+ where a view has a thousand and more', async () => {
    const opened = await open();
    await opened.page.route('**/view-counts', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), all: 1_000, mine: 999 } });
    });
    await opened.page.reload();
    await opened.page.getByText('1000+').waitFor();
    await opened.page.getByText('999', { exact: true }).waitFor();
    await opened.context.close();
  });
});
