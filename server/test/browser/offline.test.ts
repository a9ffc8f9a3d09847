import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

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

/** The page has loaded what it loads in a quiet moment. */
async function untilRested(page: Page): Promise<void> {
  const scripts = () =>
    page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\.js$/.test(name))`,
    );
  await eventually(
    async () => {
      const before = await scripts();
      await page.evaluate('new Promise((ended) => setTimeout(ended, 1_000))');
      return { before, now: await scripts() };
    },
    ({ before, now }) => before.length === now.length && now.some((name) => name.includes('location-panel')),
  );
}

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
      await page.locator('section[data-mode] textarea:read-write').waitFor();

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

    it(`a part that nobody opened before leaves the page as it is, and opens with the network, in ${locale}`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context, words, reply, troubles } = await openComposer(
        pages,
        { url, workspace, member, conversation_id },
        { locale },
      );
      await reply.fill('Half a reply');
      await context.setOffline(true);
      await page.getByRole('alert').getByText(offline[locale]).waitFor();
      const asked = page.waitForRequest(/template-panel[^/]*\.js/);
      await page.getByRole('button', { name: words.templates }).first().click();
      await asked;
      // What failed is tried again.
      await page.waitForRequest(/template-panel[^/]*\.js/);
      await page.getByRole('button', { name: locale === 'en' ? 'Cancel' : 'إلغاء', exact: true }).click();
      assert.equal(await reply.inputValue(), 'Half a reply');
      await page.getByRole('button', { name: words.templates }).first().click();
      await context.setOffline(false);
      await page.getByRole('searchbox', { name: words.template_search }).waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`the palette that nobody opened before opens with the network, in ${locale}`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context, reply, troubles } = await openComposer(
        pages,
        { url, workspace, member, conversation_id },
        { locale },
      );
      await context.setOffline(true);
      await page.getByRole('alert').getByText(offline[locale]).waitFor();
      const asked = page.waitForRequest(/palette[^/]*\.js/);
      await reply.press('Control+k');
      await asked;
      await context.setOffline(false);
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`parts open that nobody opened before, once the page was quiet for a while, in ${locale}`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context, words } = await openComposer(
        pages,
        { url, workspace, member, conversation_id },
        { locale },
      );
      await untilRested(page);
      await context.setOffline(true);
      await page.getByRole('alert').getByText(offline[locale]).waitFor();
      await page.getByRole('button', { name: words.more, exact: true }).last().click();
      await page.getByRole('menuitem', { name: words.location }).click();
      await page.getByLabel(words.coordinates).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await context.close();
    });
  }
});
