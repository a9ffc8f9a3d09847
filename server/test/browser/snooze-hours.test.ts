import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
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
// Asia/Muscat, four hours before UTC all the year.
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar', role: 'agent' });
const pages = await openPages(majlis);

const words = {
  en: { snooze: 'Snooze', today: 'Later today', next: 'Next working day', week: 'Next week', own: 'Choose a time' },
  ar: { snooze: 'تأجيل', today: 'لاحقًا اليوم', next: 'يوم العمل القادم', week: 'الأسبوع القادم', own: 'اختيار وقت' },
};
const tomorrowOf = { en: 'Tomorrow', ar: 'غدًا' };

const dayMs = 86_400_000;
/** A Tuesday at noon in Muscat, which the clock of the service is moved to. */
const noon = (() => {
  const today = new Date();
  const days = (2 - today.getUTCDay() + 7) % 7 || 7;
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, 8);
})();
await majlis.advance(Math.round((noon - Date.now()) / 1000));
const dateIn = (days: number) => new Date(noon + days * dayMs).toISOString().slice(0, 10);
const localTime = (days: number, hour: number, minute = 0) =>
  new Date(noon + days * dayMs + ((hour - 12) * 60 + minute) * 60_000).toISOString();

async function setHours(until: string, ...closed: string[]): Promise<void> {
  const { version } = (await owner.at('GET', '/business-hours')).body;
  const day = [{ from: '08:30', until }];
  const hours = { weekly: [day, day, day, day, day, [], []], closed_days: closed.map((date) => ({ date })) };
  const { status, body } = await owner.at('PUT', '/business-hours', { version, hours });
  assert.equal(status, 200, JSON.stringify(body));
}

const snoozedUntil = (id: string) => async () =>
  (await omar.at('GET', `/conversations/${id}/state`)).body.snoozed_until;

for (const locale of languages)
  describe(`the times of the snooze menus, in ${locale},`, () => {
    const say = words[locale];
    const itemsOf = async (page: Page) =>
      (await page.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0]);

    /** The hours of the workspace may come after the menu is open. */
    const offersIn = (page: Page, items: readonly string[]) =>
      eventually(
        () => itemsOf(page),
        (shown) => isDeepStrictEqual(shown, items),
      );

    it('are openings of the workspace for an agent, also of several, and follow its hours', async () => {
      await setHours('17:00', dateIn(1));
      const [one, two] = [
        await receiveText(majlis, workspace, newDigits()),
        await receiveText(majlis, workspace, newDigits()),
      ];
      const path = `/w/${workspace.id}/inbox/${one}`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url: majlis.url, member: omar, path },
        { locale },
      );
      await page.locator('textarea:read-write').waitFor();
      const openMenu = async () => {
        await page.evaluate('document.activeElement?.blur()');
        await page.keyboard.press('s');
        await page.getByRole('menuitem', { name: say.week }).waitFor();
      };
      const choose = async (name: string) => {
        await page.getByRole('menuitem', { name }).click();
        await page.getByRole('menu').waitFor({ state: 'detached' });
      };

      await openMenu();
      await offersIn(page, [say.today, say.next, say.week, say.own]);
      await choose(say.next);
      // Tomorrow the business is closed.
      await eventually(snoozedUntil(one), (until) => until === localTime(2, 8, 30));

      const row = (id: string) => page.locator(`main li a[data-id="${id}"]`);
      await row(two).focus();
      await page.keyboard.press('x');
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: say.snooze, exact: true }).click();
      await page.getByRole('menu', { name: say.snooze }).waitFor();
      await offersIn(page, [say.today, say.next, say.week]);
      await choose(say.today);
      await eventually(snoozedUntil(two), (until) => until === localTime(0, 15));

      // An administrator changes the hours: the business closes before 15:00, and is open tomorrow.
      await setHours('14:30');
      await eventually(
        async () => {
          await openMenu();
          const items = await itemsOf(page);
          await page.keyboard.press('Escape');
          await page.getByRole('menu').waitFor({ state: 'detached' });
          return items;
        },
        (items) => items.includes(tomorrowOf[locale]) && !items.includes(say.today),
      );
      await openMenu();
      await choose(tomorrowOf[locale]);
      await eventually(snoozedUntil(one), (until) => until === localTime(1, 8, 30));
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
