import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { searchOfPalette, untilFocused } from '@majlis/testing/until-focused';
import type { Page, Route } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ closing_categories: [{ name: 'Solved' }, { name: 'Spam' }] });
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

async function openInbox(locale = 'en'): Promise<Page> {
  const path = `/w/${workspace.id}/inbox`;
  const { page } = await openSignedIn(pages, { url: majlis.url, member: owner, path }, { locale });
  return page;
}

/** A new customer of this name writes. */
async function writes(name: string): Promise<void> {
  const wa_id = newDigits();
  const body = { contacts: [{ profile: { name }, wa_id }], messages: [platformText(wa_id, `from ${name}`)] };
  await postNotification(majlis, workspace, body);
}

/** Keys of an Arabic keyboard, one right after the other: each writes an Arabic letter at the place of `code`. */
const pressArabic = (page: Page, ...keys: [key: string, code: string][]) =>
  page.evaluate(`for (const [key, code] of ${JSON.stringify(keys)}) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  }`);

// What the keys of an Arabic layout write, by their place.
const arabic: Record<string, string> = {
  ...{ KeyA: 'ش', KeyE: 'ث', KeyJ: 'ت', KeyN: 'ى', KeyO: 'خ', KeyR: 'ق', KeyS: 'س', KeyX: 'ء', KeyZ: 'ئ' },
  ...{ KeyK: 'ن', Slash: 'ظ' },
};
const layouts = {
  en: (page: Page, code: string, shift = false) => page.keyboard.press(`${shift ? 'Shift+' : ''}${code}`),
  ar: (page: Page, code: string, shift = false) =>
    page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
      { key: '${arabic[code]}', code: '${code}', shiftKey: ${shift}, bubbles: true, cancelable: true }))`),
};
const words = {
  en: { reason: 'Reason', search: 'Search people and messages', assign: 'Assign', snooze: 'Snooze' },
  ar: { reason: 'السبب', search: 'ابحث في الأشخاص والرسائل', assign: 'إسناد', snooze: 'تأجيل' },
};

describe('the keyboard of the console', () => {
  it('goes to a page by two keys, on an Arabic layout too', async () => {
    const page = await openInbox('ar');
    // Both within the moment that a sequence may take.
    await pressArabic(page, ['ل', 'KeyG'], ['ح', 'KeyP']);
    await page.getByRole('heading', { name: 'الأشخاص' }).waitFor();
    await page.context().close();
  });

  it('shows all shortcuts by the question mark of either layout', async () => {
    const page = await openInbox();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressArabic(page, ['؟', 'Slash']);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.context().close();
  });

  it('leaves letters in a text field alone', async () => {
    const page = await openInbox();
    await page.goto(`${majlis.url}/profile`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('');
    await name.pressSequentially('gp?');
    assert.equal(await name.inputValue(), 'gp?');
    assert.match(page.url(), /profile$/);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.context().close();
  });

  for (const locale of languages) {
    it(`is enough for a shift of work on the layout of ${locale}: no hand goes to the mouse`, async () => {
      const say = words[locale];
      const suffix = newDigits();
      const names = ['Adam', 'Basim', 'Celine'].map((name) => `${name} ${suffix}`);
      for (const name of names) await writes(name);
      const find = async (name: string): Promise<AnyJson> =>
        (
          await eventually(
            async () => (await owner.at('GET', `/conversations?q=${encodeURIComponent(name)}`)).body.data,
            (data) => data.length === 1,
          )
        )[0];
      const read = async ({ id }: AnyJson) => (await owner.at('GET', `/conversations/${id}`)).body;
      const page = await openInbox(locale);
      const press = (code: string, shift = false) => layouts[locale](page, code, shift);
      const isOpen = ({ id }: AnyJson) => page.waitForURL(`**/inbox/${id}*`);
      const writeWith = async (code: string) => {
        await page.locator('textarea').waitFor();
        await press(code);
        await untilFocused(page, 'textarea:read-write');
      };
      const bodies = async ({ id }: AnyJson): Promise<string[]> =>
        (await owner.at('GET', `/conversations/${id}/thread`)).body.data.map(({ body }: AnyJson) => body);
      for (const name of names) await page.locator('main li a[data-id]').filter({ hasText: name }).waitFor();
      // Messages of one second have no order of their own: the list says which comes first.
      const order = (await page.locator('main li a[data-id]').allInnerTexts()).map((text) =>
        names.find((name) => text.includes(name)),
      );
      const shown = order.filter((name) => name !== undefined);
      const [celine, basim, adam] = (await Promise.all(shown.map(find))) as [AnyJson, AnyJson, AnyJson];

      // The newest one: a reply and a note.
      await press('KeyJ');
      await untilFocused(page, `[data-id="${celine.id}"]`);
      await press('KeyO');
      await isOpen(celine);
      await page.locator('textarea:read-write').waitFor();
      await writeWith('KeyR');
      await page.keyboard.insertText('We are open. أهلا');
      await page.keyboard.press('Enter');
      await eventually(
        () => bodies(celine),
        (all) => all.includes('We are open. أهلا'),
      );
      await page.keyboard.press('Escape');
      await writeWith('KeyN');
      await page.keyboard.insertText('A regular customer');
      await page.keyboard.press('Enter');
      await eventually(
        () => bodies(celine),
        (all) => all.includes('A regular customer'),
      );
      await page.keyboard.press('Escape');

      // It is assigned, first by one key, then to nobody by the menu, which is taken back.
      await press('KeyA', true);
      await eventually(
        () => read(celine),
        ({ assignee_id }) => assignee_id === owner.user_id,
      );
      // The key of undo is pressed before the answer is there.
      const answer = Promise.withResolvers<void>();
      const holdAnswer = async (route: Route) => {
        const response = await route.fetch();
        await answer.promise;
        await route.fulfill({ response });
      };
      await page.route('**/assign', holdAnswer, { times: 1 });
      await press('KeyA');
      await page.getByRole('menu', { name: say.assign }).waitFor();
      await untilFocused(page, '[role=menuitem]');
      await page.keyboard.press('Enter');
      await eventually(
        () => read(celine),
        ({ assignee_id }) => assignee_id !== owner.user_id,
      );
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await press('KeyZ');
      answer.resolve();
      await eventually(
        () => read(celine),
        ({ assignee_id }) => assignee_id === owner.user_id,
      );

      // It is closed with a reason.
      await press('KeyE');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.getByRole('button', { name: say.reason }).focus();
      await page.keyboard.press('Enter');
      await untilFocused(page, '[role=listbox], [role=option]');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      await dialog.locator('button[type=submit]').focus();
      await page.keyboard.press('Enter');
      await eventually(
        () => read(celine),
        ({ status }) => status === 'closed',
      );
      const closing = (await owner.at('GET', `/conversations/${celine.id}`)).body;
      assert.equal(closing.status, 'closed');
      await dialog.waitFor({ state: 'detached' });

      // The next one is put off until later.
      await page.locator(`main li a[data-id="${celine.id}"]`).waitFor({ state: 'detached' });
      await press('KeyJ');
      await untilFocused(page, `[data-id="${basim.id}"]`);
      await page.keyboard.press('Enter');
      await isOpen(basim);
      await page.locator('textarea:read-write').waitFor();
      await press('KeyS');
      await page.getByRole('menu', { name: say.snooze }).waitFor();
      await untilFocused(page, '[role=menuitem]');
      await page.keyboard.press('Enter');
      await page.locator(`main li a[data-id="${basim.id}"]`).waitFor({ state: 'detached' });

      // Another one is found by the search, and the palette leads on.
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await press('Slash');
      await untilFocused(page, 'input[type=search]');
      await page.keyboard.insertText(shown[2]!);
      await page.locator('main li a').filter({ hasText: shown[2]! }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await isOpen(adam);
      await page.keyboard.press('Control+k');
      await untilFocused(page, searchOfPalette);
      await page.keyboard.insertText(locale === 'ar' ? 'سجل' : 'Activity log');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/audit');
      await page.context().close();
    });
  }

  it('has no shortcuts of a single key once the person turned them off, and keeps the palette', async () => {
    const page = await openInbox();
    await page.goto(`${majlis.url}/profile`);
    await page.getByText('Shortcuts of a single key').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.goto(`${majlis.url}/w/${workspace.id}/inbox`);
    await page.locator('h1').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1);
    await page.context().close();
  });
});
