import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
const { url } = majlis;
let workspace: TestWorkspace;
let member: Member;
before(async () => {
  workspace = await majlis.workspace();
  member = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

const offline = { en: /No connection since .*\d:\d\d/, ar: /لا يوجد اتصال منذ .*\d:\d\d/ };

describe('without a network', () => {
  for (const locale of languages) {
    it(`what was open is read, and drafts are written that go out once it is back, in ${locale}`, async () => {
      const receive = messageReceiver(majlis, workspace);
      const question = `What does it cost? ${newDigits()}`;
      const earlier = await receive(newDigits(), 'text', `Earlier ${newDigits()}`);
      const { conversation_id } = await receive(newDigits(), 'text', question);
      const { page, context, words, reply } = await openComposer(
        pages,
        { url, workspace, member, conversation_id: earlier.conversation_id },
        { locale },
      );
      const rowOf = (id: string) => page.locator(`main a[data-id="${id}"]`);
      const feed = page.getByRole('feed');
      const text = (await workspace.api.get(`/conversations/${earlier.conversation_id}/messages`)).body.data[0].body;
      await feed.getByText(text).waitFor();
      await rowOf(conversation_id).click();
      await feed.getByText(question).waitFor();

      await context.setOffline(true);
      await page.getByRole('alert').getByText(offline[locale]).waitFor();
      await rowOf(earlier.conversation_id).click();
      await feed.getByText(text).waitFor();
      await reply.fill('For the earlier one');
      await rowOf(conversation_id).click();
      await feed.getByText(question).waitFor();
      await reply.fill('Twelve rials');
      await page.getByRole('button', { name: words.send, exact: true }).click();
      await feed.getByText('Twelve rials').waitFor();
      await rowOf(earlier.conversation_id).click();
      await eventually(
        () => reply.inputValue(),
        (value) => value === 'For the earlier one',
      );
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);

      await context.setOffline(false);
      await eventually(
        () => sentTexts(workspace, conversation_id),
        (sent) => sent.length > 0,
      );
      await eventually(
        () => draftsOf(member, earlier.conversation_id),
        (drafts) => drafts.includes('reply: For the earlier one'),
      );
      await page.getByRole('alert').getByText(offline[locale]).waitFor({ state: 'hidden' });
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['Twelve rials']);
      await context.close();
    });
  }
});
