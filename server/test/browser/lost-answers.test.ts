import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ConversationState, readConversationState, receiveAssigned } from '@majlis/testing/conversation-state';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar' });
const pages = await openPages(majlis);

const words = {
  en: {
    undo: 'Undo',
    undone: 'Undone.',
    week: 'Next week',
    assign: 'Assign',
    me: 'Assign to me',
    none: /No connection/,
    new_reply: 'New canned reply',
    views: 'Views',
    new_view: 'New view…',
  },
  ar: {
    undo: 'تراجع',
    undone: 'تم التراجع.',
    week: 'الأسبوع القادم',
    assign: 'إسناد',
    me: 'إسناد إليّ',
    none: /لا اتصال/,
    new_reply: 'رد جاهز جديد',
    views: 'طرق العرض',
    new_view: 'طريقة عرض جديدة…',
  },
};
type Say = (typeof words)['en'];

const read = (id: string) => readConversationState(omar, id);

/** What the thread tells of changes: each acted once. */
const countChanges = async (id: string, kind: string): Promise<number> =>
  (await omar.at('GET', `/conversations/${id}/thread`)).body.data.filter((row: AnyJson) => row.kind === kind).length;

const newConversation = () => receiveAssigned(majlis, workspace, { assigner: omar, assignee: omar });

/** The service acts, and the page never hears so many answers. */
async function loseAnswers(page: Page, pattern: string, times = 1): Promise<void> {
  let left = times;
  await page.route(pattern, async (route) => {
    if (route.request().method() === 'GET' || left === 0) return route.continue();
    left -= 1;
    await route.fetch();
    await route.abort();
  });
}

interface Row {
  name: string;
  path: string;
  act(page: Page, say: Say): Promise<void>;
  isDone(state: ConversationState): boolean;
}
const rows: Row[] = [
  {
    name: 'an assignment',
    path: 'assign',
    act: (page) => page.keyboard.press('Shift+KeyA'),
    isDone: ({ assignee_id }) => assignee_id === aisha.user_id,
  },
  {
    name: 'a snooze',
    path: 'snooze',
    async act(page, say) {
      await page.keyboard.press('KeyS');
      await page.getByRole('menuitem', { name: say.week }).click();
    },
    isDone: ({ snoozed_until }) => snoozed_until !== undefined,
  },
  {
    name: 'a closing',
    path: 'close',
    async act(page) {
      await page.keyboard.press('KeyE');
      await page.getByRole('dialog').locator('button[type=submit]').click();
    },
    isDone: ({ status }) => status === 'closed',
  },
];

for (const locale of languages) {
  const say = words[locale];
  const open = (path: string) =>
    openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox${path}` }, { locale });

  describe(`the first action of a page, whose answer was lost, in ${locale},`, () => {
    for (const { name, path, act, isDone } of rows) {
      it(`is told as done, and taken back to what stood before: ${name}`, async () => {
        const id = await newConversation();
        const before = await read(id);
        const { page, context, troubles } = await open(`/${id}`);
        await page.locator('textarea:read-write').waitFor();
        await loseAnswers(page, `**/${path}`);
        await page.evaluate('document.activeElement?.blur()');
        await act(page, say);
        await eventually(() => read(id), isDone);
        await page.locator('[data-kind=success]').getByRole('button', { name: say.undo }).click();
        await page.getByText(say.undone, { exact: true }).waitFor();
        assert.deepEqual(await read(id), before);
        assert.equal(await page.getByText(say.none).count(), 0);
        assert.deepEqual(troubles, []);
        await context.close();
      });
    }

    it('is not overtaken by the next one, where the service never heard of it', async () => {
      const id = await newConversation();
      const { page, context } = await open(`/${id}`);
      await page.locator('textarea:read-write').waitFor();
      let isCut = true;
      const heard: string[] = [];
      await page.route(/\/(assign|close)$/, async (route) => {
        if (isCut) {
          isCut = false;
          return route.abort();
        }
        heard.push(new URL(route.request().url()).pathname.split('/').at(-1)!);
        return route.continue();
      });
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('Shift+KeyA');
      await eventually(
        () => isCut,
        (cut) => !cut,
      );
      await page.keyboard.press('KeyE');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await eventually(
        () => read(id),
        ({ status }) => status === 'closed',
      );
      assert.deepEqual(heard, ['assign', 'close']);
      await context.close();
    });

    it('is told as done, and taken back to what stood before: several assignments', async () => {
      const ids = [await newConversation(), await newConversation()];
      const { page, context } = await open('');
      for (const id of ids) {
        await page.locator(`main li a[data-id="${id}"]`).focus();
        await page.keyboard.press('x');
      }
      await loseAnswers(page, '**/assign');
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: say.assign, exact: true }).click();
      await page.getByRole('menuitem', { name: say.me }).click();
      await page.locator('[data-kind=success]').getByRole('button', { name: say.undo }).click();
      for (const id of ids)
        await eventually(
          () => read(id),
          ({ assignee_id }) => assignee_id === omar.user_id,
        );
      for (const id of ids) assert.equal(await countChanges(id, 'assigned'), 3);
      await context.close();
    });
  });

  describe(`what a person makes, whose answer was lost, in ${locale},`, () => {
    // Three attempts are one press.
    for (const times of [1, 3]) {
      it(`is there once: a saved reply, after ${times === 1 ? 'one press' : 'two'}`, async () => {
        const { page, context } = await open('');
        await page.goto(`${majlis.url}/w/${workspace.id}/canned-replies`);
        await page.getByRole('button', { name: say.new_reply }).first().click();
        const dialog = page.getByRole('dialog');
        const name = `hi${newDigits()}`;
        await dialog.locator('input[name=name]').fill(name);
        await dialog.locator('textarea').fill('Hello there');
        await loseAnswers(page, '**/canned-replies', times);
        await dialog.locator('button[type=submit]').click();
        if (times > 1) {
          await dialog.getByText(say.none).waitFor();
          await dialog.locator('button[type=submit]').click();
        }
        await dialog.waitFor({ state: 'detached' });
        const { data } = (await aisha.at('GET', '/canned-replies?limit=100')).body;
        assert.equal(data.filter((reply: AnyJson) => reply.name === name).length, 1);
        await context.close();
      });

      it(`is there once: a view, after ${times === 1 ? 'one press' : 'two'}`, async () => {
        const { page, context } = await open('');
        await page.getByRole('navigation', { name: say.views }).getByRole('button').click();
        await page.getByRole('menuitem', { name: say.new_view }).click();
        const dialog = page.getByRole('dialog');
        const name = `Mine ${newDigits()}`;
        await dialog.locator('input[name=name]').fill(name);
        await loseAnswers(page, '**/views', times);
        await dialog.locator('button[type=submit]').click();
        if (times > 1) {
          await dialog.getByText(say.none).waitFor();
          await dialog.locator('button[type=submit]').click();
        }
        await page.waitForURL(/view=saved/);
        const { data } = (await aisha.at('GET', '/views')).body;
        assert.equal(data.filter((view: AnyJson) => view.name === name).length, 1);
        await context.close();
      });
    }
  });
}
