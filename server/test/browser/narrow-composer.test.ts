import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

const words = {
  en: { saved: 'Draft saved', excess: '904 characters too many', later: 'Send later', tomorrow: 'Tomorrow morning' },
  ar: { saved: 'حُفظت المسودة', excess: '904 أحرف زائدة', later: 'الإرسال لاحقًا', tomorrow: 'صباح الغد' },
};

async function open(locale: 'en' | 'ar', width: number) {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const at = { url: majlis.url, workspace, member: aisha, conversation_id };
  // Dates of another zone than the browser's name it.
  return openComposer(pages, at, { locale, viewport: { width, height: 844 }, timezoneId: 'America/New_York' });
}

/** Whether the element stands in the window and cuts nothing off. */
const isWhole = (one: Locator): Promise<boolean> =>
  one.evaluate((element: AnyJson) => {
    const { left, right, width } = element.getBoundingClientRect();
    const isIn = left >= 0 && right <= element.ownerDocument.defaultView.innerWidth;
    return isIn && width >= 16 && element.scrollWidth <= element.clientWidth;
  });

const linesOf = (one: Locator): Promise<number> =>
  one.evaluate((element: AnyJson) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }: AnyJson) => Math.round(top))).size;
  });

describe('a narrow composer', () => {
  for (const [locale, width] of [
    ['en', 390],
    ['en', 320],
    ['ar', 390],
    ['ar', 320],
  ] as const) {
    const word = words[locale];

    it(`cuts nothing off of what it says about the draft, in ${locale} at ${width} px`, async () => {
      const { page, reply, context } = await open(locale, width);
      const composer = page.locator('section[data-composer]');
      const before = await composer.evaluate((one: AnyJson) => one.clientHeight);
      await reply.fill('Twelve rials');
      const saved = composer.getByRole('status').filter({ hasText: word.saved });
      await saved.waitFor();
      assert.ok(await isWhole(saved));
      // The mark takes no line from the thread.
      assert.equal(await composer.evaluate((one: AnyJson) => one.clientHeight), before);
      await reply.fill('x'.repeat(5_000));
      const excess = composer.getByRole('status').filter({ hasText: word.excess });
      await excess.waitFor();
      assert.ok(await isWhole(excess));
      assert.equal(await linesOf(excess), 1);
      await context.close();
    });

    it(`names each later moment in one line, and its date in another, in ${locale} at ${width} px`, async () => {
      const { page, reply, context } = await open(locale, width);
      await reply.fill('Twelve rials');
      await page.getByRole('button', { name: word.later }).click();
      const item = page.getByRole('menuitem', { name: word.tomorrow });
      assert.equal(await linesOf(item.getByText(word.tomorrow)), 1);
      assert.equal(await linesOf(item.getByText(/\d/)), 1);
      assert.ok(await isWhole(page.getByRole('menu')));
      await context.close();
    });
  }
});
