import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const muna = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const usual = await openPages(majlis);
/** Twice the letters that a browser comes with: a setting of the browser or of the phone. */
const large = await openPages(majlis, ['--blink-settings=defaultFontSize=32']);

/** How far the page is too wide, and the controls that another part covers or that stand outside. */
const findCovered = `({
  wide: document.documentElement.scrollWidth - innerWidth,
  covered: [...document.querySelectorAll('section[data-composer] :is(button, textarea), main h2, main header :is(button, a)')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      if (top + height > innerHeight || top < 0) return false;
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return !found || !(one.contains(found) || found.contains(one) && found.closest('button, a') === one.closest('button, a'));
    })
    .map((one) => one.getAttribute('aria-label') ?? one.textContent),
})`;

for (const locale of languages) {
  describe(`a conversation in ${locale} covers no control, and scrolls to no side,`, () => {
    for (const [text, pages, width] of [
      ['usual', usual, 320],
      ['large', large, 360],
      ['large', large, 1280],
    ] as const) {
      it(`at ${width} px with ${text} text`, async () => {
        const at = { url: majlis.url, workspace, member: muna, conversation_id };
        const { page, reply, context } = await openComposer(pages, at, { locale, viewport: { width, height: 900 } });
        await reply.fill('Half a reply');
        await page.locator('[role=feed] [data-message]').first().waitFor();
        await drawn(page);
        assert.deepEqual(await page.evaluate(findCovered), { wide: 0, covered: [] });
        await context.close();
      });
    }
  });
}
