import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ closing_categories: [{ name: 'Resolved' }] });
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar' });
const pages = await openPages(majlis);

const sentences = {
  en: ['Aisha assigned the conversation to Omar', 'Aisha closed the conversation: Resolved'],
  ar: ['أسند Aisha المحادثة إلى Omar', 'أغلق Aisha المحادثة: Resolved'],
};

for (const [locale, [assigned, closed]] of Object.entries(sentences)) {
  describe(`the open thread in ${locale}`, () => {
    it('shows that a colleague assigned and closed the conversation', async () => {
      const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context, troubles } = await pages.open({ viewport: { width: 1280, height: 800 }, locale });
      await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: omar.email, password } });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id}`);
      await page.locator(`article[data-id="${message_id}"]`).waitFor();
      const act = async (action: string, body: object) => {
        const { status } = await aisha.at('POST', `/conversations/${conversation_id}/${action}`, body);
        assert.equal(status, 200);
      };
      // Names are isolated from the sentence around them.
      const line = (sentence: string) =>
        page.locator('[role=feed] p', { hasText: new RegExp(sentence.replace(/(Aisha|Omar|Resolved)/g, '.?$1.?')) });
      await act('assign', { assignee_id: omar.user_id });
      await line(assigned!).waitFor();
      await act('close', { category_id: workspace.applied.closing_categories[0].id, summary: 'Paid in full' });
      await line(closed!).waitFor();
      await page.locator('[role=feed]').getByText('Paid in full').waitFor();
      assert.equal(await line(assigned!).count(), 1);
      if (process.env.PICTURE) await page.screenshot({ path: `${process.env.PICTURE}-${locale}.png` });
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
