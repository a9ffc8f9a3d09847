import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { atEnd, createLongThread, leftBelow, untilStill } from '@majlis/testing/long-threads';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressWhileScrolling } from '@majlis/testing/press-while-scrolling';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (place: string, locale = 'en', options: BrowserContextOptions = {}) =>
  openSignedIn(
    pages,
    { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` },
    { locale, ...options },
  );

const longThread = createLongThread(receive, owner);

const bubble = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);
const topOf = async (page: Page, id: string) => (await bubble(page, id).boundingBox())?.y;

for (const locale of ['en', 'ar']) {
  describe(`the thread in ${locale}`, () => {
    it('loads older messages on demand and keeps what is in view at its place', async () => {
      const { conversation_id, ids } = await longThread(130);
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      const feed = page.locator('[role=feed]');
      // The older ones come when the wheel is at rest.
      const rest = Promise.withResolvers<void>();
      let held = 0;
      await page.route(/before=/, async (route) => {
        held++;
        await rest.promise;
        await route.continue();
      });
      await eventually(
        async () => {
          await feed.hover();
          await page.mouse.wheel(0, -400);
          return held;
        },
        (count) => count > 0,
      );
      await untilStill(page);
      // Whatever is in view stays where it is while they come.
      const inView = await page.evaluate(`(() => {
        const feed = document.querySelector('[role=feed]').getBoundingClientRect();
        const line = [...document.querySelectorAll('article[data-id]')].find((one) => one.getBoundingClientRect().top > feed.top + 150);
        return line.dataset.id;
      })()`);
      const before = await topOf(page, inView as string);
      const shown = await page.locator('article[data-id]').count();
      rest.resolve();
      await eventually(
        () => page.locator('article[data-id]').count(),
        (count) => count > shown,
      );
      await untilStill(page);
      const now = await topOf(page, inView as string);
      assert.ok(Math.abs(now! - before!) <= 2, `${before} became ${now}`);
      await eventually(
        async () => {
          await page.mouse.wheel(0, -1_000);
          return bubble(page, ids[0]!).isVisible();
        },
        (isVisible) => isVisible,
      );
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('fills a small screen, and keeps room for a message at a zoom of 400 %', async () => {
      const { conversation_id, ids } = await longThread(14);
      const { page, context } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('textarea:read-write').waitFor();
      const height = () => page.evaluate('document.documentElement.scrollHeight');
      await page.setViewportSize({ width: 360, height: 740 });
      await eventually(height, (px) => px === 740);
      await page.setViewportSize({ width: 320, height: 256 });
      await eventually(
        () => page.locator('[role=feed]').evaluate((feed) => feed.clientHeight),
        (px) => px >= 150,
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
      // Everything below can be scrolled to.
      await page.locator('section[data-mode]').evaluate((composer) => composer.scrollIntoView({ block: 'end' }));
      const { y, height: high } = (await page.locator('section[data-mode]').boundingBox())!;
      assert.ok(y + high <= 257, `the composer ends at ${y + high}`);
      await context.close();
    });

    it('names the day over the lines only once somebody moves up', async () => {
      const { conversation_id, ids } = await longThread(60);
      const { page, context } = await open(`/${conversation_id}`, locale);
      const day = page.locator('[class*=top] [class*=day][data-shown]');
      await context.addInitScript(`{
        globalThis.hasShown = false;
        new MutationObserver(() => (hasShown ||= document.querySelector('[class*=top] [class*=day][data-shown]') !== null))
          .observe(document, { subtree: true, childList: true, attributes: true });
      }`);
      await page.reload();
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await untilStill(page);
      assert.equal(await page.evaluate('hasShown'), false);
      await page.locator('[role=feed]').hover();
      await page.mouse.wheel(0, -600);
      await day.waitFor();
      await context.close();
    });

    it('opens at its newest message, and obeys the first turn of the wheel', async () => {
      // A short thread, which is just higher than its place, and a long one.
      for (const count of [14, 60]) {
        const { conversation_id, ids } = await longThread(count);
        for (const reducedMotion of ['reduce', 'no-preference'] as const) {
          const { page, context } = await open(`/${conversation_id}`, locale, { reducedMotion });
          await bubble(page, ids.at(-1)!).waitFor();
          await page.locator('[role=feed]').hover();
          // It gives the thread another height when it comes.
          await page.locator('textarea:read-write').waitFor();
          await atEnd(page);
          await page.mouse.wheel(0, -150);
          await eventually(
            () => leftBelow(page),
            (left) => left > 100,
          );
          await untilStill(page);
          const left = await leftBelow(page);
          assert.ok(left > 100 && left < 200, `${left} px are below the view of ${count} lines`);
          await context.close();
        }
      }
    });

    it('does not move while messages arrive and somebody reads further up', async () => {
      const { digits, conversation_id, ids } = await longThread(40);
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('[role=feed]').hover();
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await page.mouse.wheel(0, -900);
      await eventually(
        () => leftBelow(page),
        (left) => left > 600,
      );
      await untilStill(page);
      const shown = await eventually(
        async () =>
          page.evaluate(`(() => {
            const feed = document.querySelector('[role=feed]').getBoundingClientRect();
            return [...document.querySelectorAll('article[data-id]')]
              .find((one) => one.getBoundingClientRect().top > feed.top + 50)?.dataset.id;
          })()`) as Promise<string>,
        (id) => id !== undefined && id !== ids.at(-1),
      );
      const before = await topOf(page, shown);
      const arrived = await receive(digits, 'text', 'Are you there?');
      await page.getByRole('button', { name: locale === 'en' ? /1 new message/ : /رسالة جديدة/ }).waitFor();
      await untilStill(page);
      const now = await topOf(page, shown);
      assert.ok(Math.abs(now! - before!) <= 2, `${before} became ${now}`);
      await page.getByRole('button', { name: locale === 'en' ? /1 new message/ : /رسالة جديدة/ }).click();
      await bubble(page, arrived.id).waitFor();
      await page.context().close();
    });

    it('moves by keys to messages that were never drawn', async () => {
      const { conversation_id, ids } = await longThread(48);
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await bubble(page, ids.at(-1)!).focus();
      for (const [key, at] of [
        ['Home', 0],
        ['ArrowDown', 1],
        ['End', -1],
        ['ArrowUp', -2],
      ] as const) {
        await page.keyboard.press(key);
        await page.locator(`[data-id="${ids.at(at)}"]:focus`).waitFor();
      }
      await page.context().close();
    });

    it('jumps to a quoted message that is far back, and marks it', async () => {
      const { conversation_id, ids, send } = await longThread(130);
      const { body: answer } = await send('About your first line', { reply_to_id: ids[0] });
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, answer.id)
        .getByRole('button', { name: locale === 'en' ? /quoted/ : /المقتبسة/ })
        .click();
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await eventually(
        () => bubble(page, ids[0]!).isVisible(),
        (isVisible) => isVisible,
      );
      await page.context().close();
    });

    it('takes a press in the moment in which the thread moves', async () => {
      const { conversation_id, ids, send } = await longThread(40);
      const { body: answer } = await send('About your first line', { reply_to_id: ids[0] });
      const { page } = await open(`/${conversation_id}`, locale);
      const quote = bubble(page, answer.id).getByRole('button', { name: locale === 'en' ? /quoted/ : /المقتبسة/ });
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await untilStill(page);
      await pressWhileScrolling(page, quote);
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await page.context().close();
    });

    it('says that the message of an address is gone, and stands at the newest where all has room', async () => {
      const { conversation_id, ids } = await longThread(2);
      const { ids: others } = await longThread(1);
      const { page } = await open(`/${conversation_id}?message=${others[0]}`, locale);
      await page.getByText(locale === 'en' ? 'This message is not there any more.' : 'لم تعد هذه الرسالة').waitFor();
      await page.waitForURL((url) => url.search === '');
      await bubble(page, ids[1]!).waitFor();
      const toNewest = page.getByRole('button', { name: locale === 'en' ? /newest message/ : /أحدث رسالة/ });
      await toNewest.waitFor({ state: 'detached' });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id}?message=${ids[0]}`);
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await toNewest.waitFor({ state: 'detached' });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id.slice(0, -4)}0000`);
      await page.getByText(locale === 'en' ? 'or you may not see it' : 'أو لم يعد بإمكانك').waitFor();
      await page.getByRole('button', { name: locale === 'en' ? 'Back' : 'رجوع', exact: true }).click();
      await page.waitForURL(/inbox$/);
      await page.context().close();
    });
  });
}
