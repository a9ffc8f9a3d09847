import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
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
  },
  ar: {
    undo: 'تراجع',
    undone: 'تم التراجع.',
    week: 'الأسبوع القادم',
    assign: 'إسناد',
    me: 'إسناد إليّ',
    none: /لا اتصال/,
  },
};
type Say = (typeof words)['en'];

const read = async (id: string): Promise<AnyJson> => {
  const [conversation, state] = await Promise.all([
    omar.at('GET', `/conversations/${id}`),
    omar.at('GET', `/conversations/${id}/state`),
  ]);
  const { assignee_id, status } = conversation.body;
  return { assignee_id, status, snoozed_until: state.body.snoozed_until };
};

/** What the thread tells of changes: each acted once. */
const countChanges = async (id: string, kind: string): Promise<number> =>
  (await omar.at('GET', `/conversations/${id}/thread`)).body.data.filter((row: AnyJson) => row.kind === kind).length;

async function newConversation(): Promise<string> {
  const id = await receiveText(majlis, workspace, newDigits());
  await omar.at('POST', `/conversations/${id}/assign`, { assignee_id: omar.user_id });
  return id;
}

/** The service acts, and the page never hears the answer. Later attempts pass. */
async function loseFirstAnswer(page: Page, pattern: string): Promise<void> {
  await page.route(
    pattern,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

interface Row {
  name: string;
  path: string;
  act(page: Page, say: Say): Promise<void>;
  isDone(state: AnyJson): boolean;
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
        await loseFirstAnswer(page, `**/${path}`);
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

    it('is told as done, and taken back to what stood before: several assignments', async () => {
      const ids = [await newConversation(), await newConversation()];
      const { page, context } = await open('');
      for (const id of ids) {
        await page.locator(`main li a[data-id="${id}"]`).focus();
        await page.keyboard.press('x');
      }
      await loseFirstAnswer(page, '**/assign');
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
}
