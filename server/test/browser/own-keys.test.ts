import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
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
const pages = await openPages(majlis);
const conversation = await receiveText(majlis, workspace, newDigits());

const words = {
  en: {
    ...{ list: 'Keyboard shortcuts', snooze: 'Snooze', assign: 'Assign', swap: 'Swap the two', all: 'Reset all keys' },
    ...{ change: 'Change the key of', reset: 'Reset the key of', press: 'Press the new key' },
    ...{ place: 'Location', send_place: 'Send a location', none: 'No key', give: 'Give', take: 'Take the key from' },
    ...{ clash: /This is the key of .*Assign/, moves: /moves, confirms/, go: /begins the ways/, browser: /browser/ },
  },
  ar: {
    ...{ list: 'اختصارات لوحة المفاتيح', snooze: 'تأجيل', assign: 'إسناد', swap: 'تبديل المفتاحين' },
    ...{
      all: 'إعادة كل المفاتيح إلى أصلها',
      change: 'تغيير مفتاح',
      reset: 'إعادة مفتاح',
      press: 'اضغط المفتاح الجديد',
    },
    ...{ place: 'موقع', send_place: 'إرسال موقع', none: 'بلا مفتاح', give: 'إعطاء', take: 'إزالة مفتاح' },
    ...{ clash: /هذا مفتاح .*إسناد/, moves: /للتنقل أو التأكيد/, go: /يبدأ G/, browser: /المتصفح/ },
  },
};

/** A key of an Arabic layout writes an Arabic letter at the place of `code`. */
const pressArabic = (page: Page, code: string) =>
  page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
    { key: 'ص', code: '${code}', bubbles: true, cancelable: true }))`);

for (const locale of languages) {
  const say = words[locale];
  const press = (page: Page, code: string) =>
    locale === 'ar' && code.startsWith('Key') ? pressArabic(page, code) : page.keyboard.press(code);
  const menu = (page: Page, name: string) => page.getByRole('menu', { name, exact: true });

  describe(`the keys that a person gives to commands, in ${locale},`, () => {
    it('act at once and in the other tab, are shown, are swapped, and go back', async () => {
      const member = await joinWorkspace(majlis, workspace);
      const path = `/w/${workspace.id}/inbox/${conversation}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.locator('textarea:read-write').waitFor();
      const other = await context.newPage();
      await other.goto(`${majlis.url}${path}`);
      await other.locator('textarea:read-write').waitFor();
      const dialog = page.getByRole('dialog', { name: say.list });
      const row = dialog.locator('dl > div').filter({ has: page.getByText(say.snooze, { exact: true }) });
      const assignRow = dialog.locator('dl > div').filter({ has: page.getByText(say.assign, { exact: true }) });
      const keys = async (of = row) => (await of.locator('kbd').allInnerTexts()).join(' ');
      const isKey = (key: string, of = row) =>
        eventually(
          () => keys(of),
          (shown) => shown === key,
        );
      const ask = async () => {
        await row.getByRole('button', { name: say.change }).click();
        await row.getByRole('button', { name: say.press }).waitFor();
      };
      const leave = async (one: Page) => {
        await one.keyboard.press('Escape');
        await one.getByRole('dialog').waitFor({ state: 'detached' });
      };
      // The other tab reads the keys again once the first one has kept them.
      const untilHeard = async (act: () => Promise<unknown>) => {
        const heard = other.waitForResponse((response) => response.url().endsWith('/console/v1/session'));
        await act();
        await (await heard).finished();
      };
      const opens = async (one: Page, code: string, name: string) => {
        await one.evaluate('document.activeElement?.blur()');
        await press(one, code);
        await menu(one, name).waitFor();
        await one.keyboard.press('Escape');
        await menu(one, name).waitFor({ state: 'detached' });
      };

      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('?');
      await ask();
      for (const [code, sentence] of [
        ['Enter', say.moves],
        ['KeyG', say.go],
        ['Control+KeyL', say.browser],
      ] as const) {
        await press(page, code);
        await row.getByRole('alert').filter({ hasText: sentence }).waitFor();
      }
      await untilHeard(() => press(page, 'KeyW'));
      await isKey('W');
      assert.equal(await row.getByRole('alert').count(), 0);
      await leave(page);
      await opens(page, 'KeyW', say.snooze);
      await opens(other, 'KeyW', say.snooze);

      // The former key does nothing any more: the next key finds no menu in its way.
      await page.evaluate('document.activeElement?.blur()');
      await press(page, 'KeyS');
      await page.keyboard.press('Control+k');
      const entry = page.getByRole('menuitem', { name: say.snooze, exact: false }).first();
      await entry.waitFor();
      assert.equal((await entry.locator('kbd').allInnerTexts()).join(' '), 'W');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('?');
      await ask();
      await press(page, 'KeyA');
      await row.getByRole('alert').filter({ hasText: say.clash }).waitFor();
      await untilHeard(() => row.getByRole('button', { name: say.swap }).click());
      await isKey('A');
      await isKey('W', assignRow);
      await leave(page);
      await opens(other, 'KeyA', say.snooze);
      await opens(other, 'KeyW', say.assign);

      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('?');
      await untilHeard(() => row.getByRole('button', { name: say.reset }).click());
      await isKey('S');
      assert.equal(await keys(assignRow), 'W');
      await untilHeard(() => dialog.getByRole('button', { name: say.all }).click());
      await isKey('A', assignRow);
      await leave(page);
      await opens(other, 'KeyS', say.snooze);
      await other.reload();
      await other.locator('textarea:read-write').waitFor();
      await opens(other, 'KeyA', say.assign);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('leave the focus on their row, by keys alone', async () => {
      const member = await joinWorkspace(majlis, workspace);
      const path = `/w/${workspace.id}/inbox/${conversation}`;
      const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.locator('textarea:read-write').waitFor();
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: say.list });
      const row = dialog.locator('dl > div').filter({ has: page.getByText(say.snooze, { exact: true }) });
      const pencil = row.getByRole('button', { name: say.change });
      const untilFocused = () =>
        eventually(
          () => pencil.evaluateAll((all) => all.some((one) => one === one.ownerDocument.activeElement)),
          (isFocused) => isFocused,
        );
      await pencil.focus();
      for (const code of ['Escape', 'KeyW']) {
        await page.keyboard.press('Enter');
        await row.getByRole('button', { name: say.press }).waitFor();
        await press(page, code);
        await untilFocused();
      }
      await row.locator('kbd').filter({ hasText: 'W' }).waitFor();
      await untilFocused();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await row.getByRole('button', { name: say.reset }).waitFor({ state: 'detached' });
      await untilFocused();
      await context.close();
    });

    it('are given to a command that came without one, and are taken from it', async () => {
      const member = await joinWorkspace(majlis, workspace);
      const path = `/w/${workspace.id}/inbox/${conversation}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.locator('textarea:read-write').waitFor();
      const dialog = page.getByRole('dialog', { name: say.list });
      const row = dialog.locator('dl > div').filter({ has: page.getByText(say.place, { exact: true }) });
      const openList = async () => {
        await page.evaluate('document.activeElement?.blur()');
        await page.keyboard.press('?');
        await dialog.waitFor();
      };
      const leave = async () => {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await page.evaluate('document.activeElement?.blur()');
      };
      await openList();
      await row.getByText(say.none, { exact: true }).waitFor();
      await row.getByRole('button', { name: say.give }).click();
      await press(page, 'KeyS');
      await row.getByRole('alert').waitFor();
      assert.equal(await row.getByRole('button', { name: say.swap }).count(), 0);
      await press(page, 'KeyW');
      await row.locator('kbd', { hasText: 'W' }).waitFor();
      await leave();
      await press(page, 'KeyW');
      await page.getByRole('region', { name: say.send_place }).waitFor();

      await openList();
      await row.getByRole('button', { name: say.take }).click();
      await row.getByText(say.none, { exact: true }).waitFor();
      await page.reload();
      await page.locator('textarea:read-write').waitFor();
      await openList();
      await row.getByText(say.none, { exact: true }).waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
