import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const texts = Array.from({ length: 40 }, (_, n) => `Line ${n} of the order. ${'It is long. '.repeat(20)}`.trim());
for (const body of texts) await member.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body });
const pages = await openPages(majlis);
/** A4 at 96 pixels an inch. */
const paper = { width: 794, height: 1123 };

for (const locale of languages) {
  describe(`a printed conversation in ${locale}`, () => {
    it('has every loaded message in full, its name, and nothing to press', async () => {
      const { page, context, reply, troubles } = await openComposer(
        pages,
        { url: majlis.url, workspace, member, conversation_id },
        { locale },
      );
      await page.getByText(texts.at(-1)!).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      // Paper is narrow: what stands beside the thread on a desk may stand in front of it there.
      await page.setViewportSize(paper);
      for (const text of texts) await page.locator('article:visible', { hasText: text }).waitFor();
      // Nothing is cut off: the sheets are as long as the lines.
      const [sheets, lines] = await page.evaluate<[number, number]>(`[
        document.documentElement.scrollHeight,
        [...document.querySelectorAll('article')].reduce((sum, one) => sum + one.getBoundingClientRect().height, 0),
      ]`);
      assert.ok(sheets >= lines, `${sheets} < ${lines}`);
      await page.locator('h2:visible').first().waitFor();
      const pressed = 'nav:visible, textarea:visible, header button:visible, [role=dialog]:visible';
      assert.equal(await page.locator(pressed).count(), 0);
      await page.emulateMedia({ media: 'screen' });
      await reply.waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
