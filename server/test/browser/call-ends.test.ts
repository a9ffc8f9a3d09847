import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

// Names are isolated from the sentence around them.
const sentences = {
  en: [/^.?Salim.? called$/, /called\. The end of the call was not reported$/, /^Missed call from .?Salim/],
  ar: [/^اتصل .?Salim.?$/, /لم يصل ما يفيد بانتهاء المكالمة$/, /^مكالمة فائتة من .?Salim/],
} as const;
const fiveHours = 5 * 3_600;
const nowMs = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);

for (const locale of languages) {
  describe(`the line of a call in ${locale}`, () => {
    it('says as the time passes that its end was not reported, and is completed by a late end, however far back', async () => {
      const [called, unreported, missed] = sentences[locale];
      const digits = newDigits();
      const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, digits);
      assert.equal((await aisha.at('PATCH', `/contacts/${contact_id}`, { name: 'Salim' })).status, 200);
      const id = `wacid.${digits}`;
      const report = async (event: string, more: object = {}) => {
        const timestamp = String(Math.floor((await nowMs()) / 1000));
        const call = { id, from: digits, to: '96880000001', event, timestamp, direction: 'USER_INITIATED', ...more };
        await postNotification(majlis, workspace, { calls: [call] }, 'calls');
      };
      const { page, context, troubles } = await pages.open({ viewport: { width: 1280, height: 800 }, locale });
      await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: aisha.email, password } });
      await page.clock.install({ time: await nowMs() });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id}`);
      const line = (words: RegExp) => page.locator('[role=feed] p span', { hasText: words });
      await page.locator('[role=feed] article').first().waitFor();
      await report('connect');
      await line(called).waitFor();
      await majlis.advance(fiveHours);
      await page.clock.fastForward(fiveHours * 1_000);
      await line(unreported).waitFor();
      assert.equal(await line(called).count(), 0);
      // So many messages later, the line is no part of the newest page any more.
      const messages = Array.from({ length: 60 }, (_, n) => platformText(digits, `Later ${n}`));
      await postNotification(majlis, workspace, { messages });
      await page.locator('[role=feed] article', { hasText: 'Later 59' }).waitFor();
      await page.locator('[role=feed]').hover();
      await eventually(
        async () => {
          await page.mouse.wheel(0, -1_000);
          return line(unreported).count();
        },
        (count) => count === 1,
      );
      await report('terminate', { status: 'FAILED' });
      await line(missed).waitFor();
      assert.equal(await line(unreported).count(), 0);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
