import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
await aisha.at('POST', '/canned-replies', { name: 'thanks', body: 'Thank you for waiting', shared: false });

const words = {
  en: { search: 'Search people and messages', tag: 'Add a tag', name: /^Edit Name/, later: 'Send later' },
  ar: { search: 'ابحث في الأشخاص والرسائل', tag: 'إضافة وسم', name: /^تعديل الاسم/, later: 'الإرسال لاحقًا' },
};

for (const locale of languages) {
  const say = words[locale];

  const open = async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const opened = await openComposer(
      pages,
      { url: majlis.url, workspace, member: aisha, conversation_id },
      { locale, viewport: { width: 1440, height: 900 } },
    );
    return { ...opened, conversation_id };
  };
  /** A key that an input method takes for itself. Safari tells the one that ends a composition by its number alone. */
  const pressComposing = async (page: Page, key: string) => {
    for (const told of ['isComposing: true', 'keyCode: 229']) {
      await page.evaluate(`document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: '${key}', code: '${key}', ${told}, bubbles: true, cancelable: true }))`);
    }
    await drawn(page);
  };

  describe(`a composition of an input method, in ${locale},`, () => {
    it('keeps its Enter and Escape from the fields of a conversation', async () => {
      const { page, context, troubles, conversation_id, reply } = await open();
      await reply.fill('にほん');
      await pressComposing(page, 'Enter');
      await pressComposing(page, 'Escape');
      assert.equal(await reply.inputValue(), 'にほん');
      assert.equal(await reply.evaluate('document.activeElement?.tagName'), 'TEXTAREA');

      await page.getByRole('button', { name: say.tag }).click();
      const tag = page.getByRole('combobox', { name: say.tag });
      await tag.fill('にほ');
      await pressComposing(page, 'Enter');
      await pressComposing(page, 'Escape');
      assert.equal(await tag.inputValue(), 'にほ');
      await tag.fill('');
      await page.keyboard.press('Escape');
      await tag.waitFor({ state: 'detached' });

      const search = page.getByRole('searchbox', { name: say.search });
      await search.fill('にほ');
      await pressComposing(page, 'Escape');
      assert.equal(await search.inputValue(), 'にほ');

      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });

  describe(`Enter, in ${locale},`, () => {
    it('of the number pad opens "send later" too', async () => {
      const { page, context, reply } = await open();
      await reply.fill('Tomorrow');
      await page.keyboard.press('Control+Shift+NumpadEnter');
      await page.getByRole('menu', { name: say.later }).waitFor();
      assert.equal(await reply.inputValue(), 'Tomorrow');
      await context.close();
    });

    it('that is held down after it took a saved reply sends nothing', async () => {
      const { page, context, reply, conversation_id } = await open();
      await reply.pressSequentially('/thanks');
      await page.getByRole('option', { name: /thanks/ }).waitFor();
      for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      await drawn(page);
      assert.equal(await reply.inputValue(), 'Thank you for waiting');
      await page.keyboard.press('Enter');
      await eventually(
        () => sentTexts(workspace, conversation_id),
        (texts) => texts.join() === 'Thank you for waiting',
      );
      await context.close();
    });
  });
}
