import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ConversationState, readConversationState, receiveAssigned } from '@majlis/testing/conversation-state';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
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
    ...{ undo: 'Undo', undone: 'Undone.', refused: /changed it meanwhile|changed this meanwhile/, assign: 'Assign' },
    ...{ week: 'Next week', me: 'Assign to me', snooze: 'Snooze', close: 'Close', tag: 'Add a tag' },
  },
  ar: {
    ...{ undo: 'تراجع', undone: 'تم التراجع.', refused: /هذه الأثناء|الأثناء/, assign: 'إسناد' },
    ...{ week: 'الأسبوع القادم', me: 'إسناد إليّ', snooze: 'تأجيل', close: 'إغلاق المحادثة', tag: 'إضافة وسم' },
  },
};
type Say = (typeof words)['en'];

const read = (id: string) => readConversationState(aisha, id);

async function press(page: Page, key: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press(key);
}

/** Each action that can be taken back: how it is done by keys, and what a colleague does meanwhile. */
interface Row {
  name: string;
  act(page: Page, say: Say): Promise<void>;
  isDone(state: ConversationState): boolean;
  meanwhile(id: string): Promise<unknown>;
}
const rows: Row[] = [
  {
    name: 'an assignment',
    act: (page) => press(page, 'Shift+KeyA'),
    isDone: ({ assignee_id }) => assignee_id === aisha.user_id,
    meanwhile: (id) => omar.at('POST', `/conversations/${id}/assign`, { assignee_id: omar.user_id }),
  },
  {
    name: 'a snooze',
    async act(page, say) {
      await press(page, 'KeyS');
      await page.getByRole('menuitem', { name: say.week }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    },
    isDone: ({ snoozed_until }) => snoozed_until !== undefined,
    meanwhile: (id) => omar.at('POST', `/conversations/${id}/snooze`, { until: '2040-01-01T05:00:00.000Z' }),
  },
  {
    name: 'a closing',
    async act(page) {
      await press(page, 'KeyE');
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    isDone: ({ status }) => status === 'closed',
    async meanwhile(id) {
      await omar.at('POST', `/conversations/${id}/reopen`);
      await omar.at('POST', `/conversations/${id}/close`, { summary: 'Omar closed it.' });
    },
  },
];

const newConversation = () => receiveAssigned(majlis, workspace, { assigner: omar, assignee: null });

for (const locale of languages) {
  const say = words[locale];
  const open = (path: string) =>
    openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox${path}` }, { locale });

  /** A page that hears of nothing that others do: its live stream never answers. */
  const openUnheard = async (path: string) => {
    const opened = await open('');
    await opened.page.route('**/console/v1/stream', () => {});
    await opened.page.goto(`${majlis.url}/w/${workspace.id}/inbox${path}`);
    return opened;
  };

  describe(`the undo, in ${locale},`, () => {
    for (const { name, act, isDone, meanwhile } of rows) {
      it(`takes back ${name} once, from another conversation, for two presses`, async () => {
        const [one, other] = [await newConversation(), await newConversation()];
        const before = await read(one);
        const { page, context, troubles } = await open(`/${one}`);
        await page.locator('textarea:read-write').waitFor();
        await act(page, say);
        await eventually(() => read(one), isDone);
        await page.getByRole('button', { name: say.undo }).waitFor();
        const untouched = await read(other);
        await page.locator(`main li a[data-id="${other}"]`).click();
        await page.waitForURL(`**/${other}`);
        let restores = 0;
        page.on('request', (request) => {
          if (request.url().endsWith('/restore')) restores += 1;
        });
        if (locale === 'en') {
          await press(page, 'KeyZ');
          await page.keyboard.press('KeyZ');
        } else {
          const button = page.getByRole('button', { name: say.undo });
          await button.evaluate((element: AnyJson) => [element.click(), element.click()]);
        }
        await page.getByText(say.undone, { exact: true }).first().waitFor();
        assert.deepEqual([await read(one), await read(other), restores], [before, untouched, 1]);
        assert.equal(await page.getByText(say.refused).count(), 0);
        assert.deepEqual(troubles, []);
        await context.close();
      });

      it(`leaves alone what a colleague did after ${name}, and says so`, async () => {
        const one = await newConversation();
        const { page, context } = await open(`/${one}`);
        await page.locator('textarea:read-write').waitFor();
        await act(page, say);
        await eventually(() => read(one), isDone);
        const undo = page.getByRole('button', { name: say.undo });
        await undo.waitFor();
        await meanwhile(one);
        const changed = await read(one);
        await undo.click();
        await page.getByText(say.refused).first().waitFor();
        assert.deepEqual(await read(one), changed);
        await context.close();
      });
    }

    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      it(`is offered beside the field and its tools, at ${viewport.width} px`, async () => {
        const { page, context } = await open(`/${await newConversation()}`);
        await page.setViewportSize(viewport);
        await page.locator('textarea:read-write').waitFor();
        await pressUntilTaken(page, 'Shift+KeyA');
        const offer = page.locator('[data-kind=success]', { hasText: say.undo });
        await offer.waitFor();
        // It may come in by a movement.
        await offer.evaluate((toast: AnyJson) =>
          Promise.all(toast.getAnimations().map((one: AnyJson) => one.finished)),
        );
        const [toast, composer] = await Promise.all([
          offer.boundingBox(),
          page.locator('section[data-mode]').boundingBox(),
        ]);
        const isBelow = toast!.y + toast!.height > composer!.y;
        const isBeside = toast!.x + toast!.width <= composer!.x || toast!.x >= composer!.x + composer!.width;
        assert.ok(!isBelow || isBeside, `${JSON.stringify(toast)} lies over ${JSON.stringify(composer)}`);
        assert.ok(toast!.x >= 0 && toast!.x + toast!.width <= viewport.width && toast!.y >= 0);
        await context.close();
      });
    }

    for (const { name, act, isDone, meanwhile } of rows.slice(0, 2)) {
      it(`restores what a colleague did just before ${name}, though the page has not heard of it`, async () => {
        const one = await newConversation();
        const { page, context } = await openUnheard(`/${one}`);
        await page.locator('textarea:read-write').waitFor();
        await meanwhile(one);
        const before = await read(one);
        await act(page, say);
        const done = await eventually(
          () => read(one),
          (state) => isDone(state) && !isDeepStrictEqual(state, before),
        );
        assert.notDeepEqual(done, before);
        await page.getByRole('button', { name: say.undo }).click();
        await page.getByText(say.undone, { exact: true }).first().waitFor();
        assert.deepEqual(await read(one), before);
        await context.close();
      });
    }

    /** Selects both in the list, where each is shown, and presses the button of the bar. */
    async function onBoth(page: Page, ids: readonly string[], action: string) {
      for (const id of ids) {
        await page.locator(`main li a[data-id="${id}"]`).focus();
        await page.keyboard.press('x');
      }
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: action, exact: true }).click();
    }
    const several: (Pick<Row, 'name' | 'isDone'> & { button: string; choose: (page: Page) => Promise<void> })[] = [
      {
        ...{ name: 'an assignment', button: say.assign },
        choose: (page) => page.getByRole('menuitem', { name: say.me }).click(),
        isDone: rows[0]!.isDone,
      },
      {
        ...{ name: 'a snooze', button: say.snooze },
        choose: (page) => page.getByRole('menuitem', { name: say.week }).click(),
        isDone: rows[1]!.isDone,
      },
      {
        ...{ name: 'a closing', button: say.close },
        choose: (page) => page.getByRole('dialog').locator('button[type=submit]').click(),
        isDone: rows[2]!.isDone,
      },
    ];
    for (const { name, button, choose, isDone } of several) {
      it(`takes back ${name} of several by its key`, async () => {
        const ids = [await newConversation(), await newConversation()];
        const readBoth = () => Promise.all(ids.map(read));
        const before = await readBoth();
        const { page, context, troubles } = await open('');
        await onBoth(page, ids, button);
        await choose(page);
        await eventually(readBoth, (states) => states.every(isDone));
        await page.getByRole('button', { name: say.undo }).waitFor();
        await press(page, 'KeyZ');
        await eventually(readBoth, (states) => isDeepStrictEqual(states, before));
        for (const id of ids) await page.locator(`main li a[data-id="${id}"]`).waitFor();
        assert.deepEqual(troubles, []);
        await context.close();
      });
    }

    for (const at of [0, 1]) {
      const { name, button, choose, isDone } = several[at]!;
      it(`restores what a colleague did just before ${name} of several, though the page has not heard of it`, async () => {
        const ids = [await newConversation(), await newConversation()];
        const readBoth = () => Promise.all(ids.map(read));
        const { page, context } = await openUnheard('');
        for (const id of ids) await page.locator(`main li a[data-id="${id}"]`).waitFor();
        await rows[at]!.meanwhile(ids[1]!);
        const before = await readBoth();
        await onBoth(page, ids, button);
        await choose(page);
        await eventually(readBoth, (now) => now.every(isDone) && !isDeepStrictEqual(now[1], before[1]));
        await page.getByRole('button', { name: say.undo }).waitFor();
        await press(page, 'KeyZ');
        await eventually(readBoth, (now) => isDeepStrictEqual(now, before));
        await context.close();
      });
    }

    it('of a tag of several leaves it where a colleague had set it just before, though the page has not heard of it', async () => {
      const ids = [await newConversation(), await newConversation()];
      const contacts = await Promise.all(
        ids.map(async (id) => (await aisha.at('GET', `/conversations/${id}`)).body.contact_id),
      );
      const tagsOf = () =>
        Promise.all(contacts.map(async (id) => (await aisha.at('GET', `/contacts/${id}`)).body.tags.join()));
      const { page, context } = await openUnheard('');
      for (const id of ids) await page.locator(`main li a[data-id="${id}"]`).waitFor();
      await omar.at('POST', `/contacts/${contacts[1]}/edit`, { add_tags: ['vip'] });
      await onBoth(page, ids, say.tag);
      await page.getByRole('dialog').getByRole('textbox').fill('vip');
      await page.keyboard.press('Enter');
      await eventually(tagsOf, (tags) => tags.join('|') === 'vip|vip');
      await page.getByRole('button', { name: say.undo }).waitFor();
      await press(page, 'KeyZ');
      await eventually(tagsOf, ([first]) => first === '');
      await page.locator('[data-kind=success]').first().waitFor();
      assert.deepEqual(await tagsOf(), ['', 'vip']);
      await context.close();
    });

    it('takes back what was done to several in the list by its key, but for what a colleague changed', async () => {
      const [one, two] = [await newConversation(), await newConversation()];
      const { page, context, troubles } = await open('');
      const row = (id: string) => page.locator(`main li a[data-id="${id}"]`);
      await row(one).focus();
      await page.keyboard.press('x');
      await row(two).focus();
      await page.keyboard.press('x');
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: say.assign, exact: true }).click();
      await page.getByRole('menuitem', { name: say.me }).click();
      const isMine = ({ assignee_id }: AnyJson) => assignee_id === aisha.user_id;
      await eventually(() => read(one), isMine);
      await eventually(() => read(two), isMine);
      await page.getByRole('button', { name: say.undo }).waitFor();
      await omar.at('POST', `/conversations/${two}/assign`, { assignee_id: omar.user_id });
      await press(page, 'KeyZ');
      await eventually(
        () => read(one),
        ({ assignee_id }) => assignee_id === undefined,
      );
      await page.getByRole('dialog').getByText(say.refused).waitFor();
      assert.equal((await read(two)).assignee_id, omar.user_id);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
