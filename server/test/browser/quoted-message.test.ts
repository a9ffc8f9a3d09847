import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { languages } from '@majlis/testing/languages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { signInByForm } from '@majlis/testing/sign-in-pages';
import { by, type Chat, startChats } from '@majlis/testing/start-chats';
import type { Page } from 'playwright-core';

const { majlis, workspace, agent, newChat, report } = await startChats();
const next = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

/** What the reply quotes, above the field. */
const barOf = (page: Page) => page.locator('section[data-mode] div:has(> strong)');

for (const locale of languages) {
  const open = ({ conversation_id }: Chat) =>
    openComposer(pages, { url: majlis.url, workspace, member: agent, conversation_id }, { locale });

  async function quote(page: Page, { id }: Chat): Promise<void> {
    const bubble = page.locator(`article[data-id="${id}"]`);
    await bubble.hover();
    await bubble.getByRole('button', { name: locale === 'en' ? 'Reply' : 'رد', exact: true }).click();
    await barOf(page).waitFor();
  }

  describe(`a message that a reply quotes, in ${locale},`, () => {
    it('is shown as deleted once its author deletes it', async () => {
      const chat = await newChat('A secret mistake');
      const { page, context, troubles } = await open(chat);
      await quote(page, chat);
      await barOf(page).getByText('A secret mistake').waitFor();
      await report([by(chat, 'revoke', { original_message_id: chat.wamid })]);
      await barOf(page)
        .getByText(locale === 'en' ? 'Deleted by its author' : 'حذفها مرسلها')
        .waitFor();
      assert.equal(await page.getByText('A secret mistake').count(), 0);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('is quoted again where the reply is refused', async () => {
      const chat = await newChat('Is it in stock?');
      const { page, context, reply } = await open(chat);
      await quote(page, chat);
      await page.route('**/messages', async (route) => {
        await agent.at('POST', `/conversations/${chat.conversation_id}/close`, {});
        await route.continue();
      });
      await reply.fill('It is.');
      await reply.press('Enter');
      await barOf(page).waitFor({ state: 'detached' });
      await barOf(page).getByText('Is it in stock?').waitFor();
      await context.close();
    });
  });
}

describe('a message that a reply quotes', () => {
  const signIn = async (page: Page, member: Member) => {
    await signInByForm(page, member);
    await page.locator('textarea:read-write').waitFor();
  };
  /** The next save of the draft finds the session ended, if the page has not heard of it by then. */
  const endSession = async (page: Page) => {
    await page.locator('textarea:read-write').focus();
    await majlis.sql('delete from sessions');
    await page.keyboard.type('Half a reply');
  };

  it('is quoted by the same person after their session has ended, and by nobody else', async () => {
    const chat = await newChat('Chosen by one person');
    const { page, context } = await pages.open({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${chat.conversation_id}`);
    await signIn(page, agent);
    await page.locator(`article[data-id="${chat.id}"]`).hover();
    await page.locator('article').getByRole('button', { name: 'Reply', exact: true }).click();
    await barOf(page).waitFor();
    await endSession(page);
    await signIn(page, agent);
    await barOf(page).waitFor();
    await endSession(page);
    await signIn(page, next);
    await drawn(page);
    assert.equal(await barOf(page).count(), 0);
    await context.close();
  });
});
