import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
const { url } = majlis;
const workspace = await majlis.workspace({ teams: [{ name: 'Sales' }] });
const owner = await joinWorkspace(majlis, workspace, { name: 'Sara' });
const close = { en: 'Close', ar: 'إغلاق المحادثة' };
const gone = { en: 'This contact is not there any more', ar: 'لم تعد جهة الاتصال هذه موجودة' };

describe('a person who may not see the open conversation any more', () => {
  for (const locale of languages) {
    it(`sees nothing of it, and all of it once they may again, in ${locale}`, async () => {
      const member = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Aisha' });
      const secret = `My passport is A-${locale}-77`;
      const digits = newDigits();
      const { conversation_id } = await messageReceiver(majlis, workspace)(digits, 'text', secret);
      await owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id: owner.user_id });
      const { page, context, reply } = await openComposer(
        pages,
        { url, workspace, member, conversation_id },
        { locale },
      );
      await page.getByRole('feed').getByText(secret).waitFor();
      await reply.fill('Half a reply');
      await page.getByRole('button', { name: close[locale], exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await owner.at('PATCH', `/members/${member.user_id}`, { own_teams_only: true });
      await page.getByText(gone[locale]).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      const shown = await page.locator('body').innerText();
      for (const hidden of [secret, digits.slice(-6)]) assert.ok(!shown.includes(hidden), shown);

      await owner.at('PATCH', `/members/${member.user_id}`, { own_teams_only: false });
      await page.getByRole('feed').getByText(secret).waitFor();
      await eventually(
        () => reply.inputValue(),
        (text) => text === 'Half a reply',
      );
      await context.close();
    });
  }
});
