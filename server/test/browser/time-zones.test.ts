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
const pages = await openPages(majlis);
/** The workspaces of the tests have their clocks there. */
const own = 'Asia/Muscat';
const words = {
  en: { later: 'Send later', morning: /Tomorrow morning/ },
  ar: { later: 'الإرسال لاحقًا', morning: /صباح الغد/ },
};

for (const locale of languages) {
  const say = words[locale];

  describe(`a time by the clocks of the workspace, in ${locale},`, () => {
    for (const timezoneId of ['Asia/Kathmandu', own]) {
      it(`${timezoneId === own ? 'needs no zone' : 'names its zone'} for a person in ${timezoneId}`, async () => {
        const workspace = await majlis.workspace();
        const member = await joinWorkspace(majlis, workspace);
        const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
        const at = { url: majlis.url, workspace, member, conversation_id };
        const { page, reply, context, troubles } = await openComposer(pages, at, { locale, timezoneId });
        await reply.fill('Good morning');
        await page.getByRole('button', { name: say.later }).click();
        const morning = page.getByRole('menuitem', { name: say.morning });
        const offered = await morning.innerText();
        assert.match(offered, /9:00/);
        assert.equal(offered.includes('+4'), timezoneId !== own, offered);
        await morning.click();
        const bubble = page.locator('article[data-scheduled]');
        await bubble.waitFor();
        const told = await bubble.innerText();
        assert.match(told, /9:00/);
        assert.equal(told.includes('+4'), timezoneId !== own, told);
        const [{ send_at }] = (await member.at('GET', `/conversations/${conversation_id}/scheduled-messages`)).body
          .data;
        // 09:00 in Muscat.
        assert.match(send_at, /T05:00/);
        assert.deepEqual(troubles, []);
        await context.close();
      });
    }
  });
}
