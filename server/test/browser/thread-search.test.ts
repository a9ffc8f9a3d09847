import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { createLongThread, untilStill } from '@majlis/testing/long-threads';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (place: string, locale = 'en', options: BrowserContextOptions = {}) =>
  openSignedIn(
    pages,
    { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` },
    { locale, ...options },
  );

const longThread = createLongThread(receive, owner);

const bubble = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);

for (const locale of ['en', 'ar']) {
  describe(`the search of the thread in ${locale}`, () => {
    it('opens a found message in place, with its hits marked, and keeps the results', async () => {
      const { conversation_id, ids, send, sendMany } = await longThread(70);
      const { body: early } = await send(`Marigold${locale} يا أحمد <b>bold</b>`);
      await sendMany(70);
      const { page, troubles } = await open('', locale);
      await page.getByRole('searchbox').fill(`marigold${locale} احمد`);
      const hit = page.locator(`a[href*="message=${early.id}"]`);
      await hit.waitFor();
      assert.deepEqual(await hit.locator('mark').allInnerTexts(), [`Marigold${locale}`, 'أحمد']);
      assert.equal(await hit.locator('b').count(), 0);
      await page.getByRole('searchbox').press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator(`article[data-id="${early.id}"][data-flash]`).waitFor();
      assert.ok(page.url().includes(conversation_id));
      assert.ok(await hit.isVisible());
      await untilStill(page);
      const box = await bubble(page, early.id).boundingBox();
      assert.ok(box && box.y > 50 && box.y < 750, JSON.stringify(box));
      assert.equal(await bubble(page, ids[0]!).isVisible(), false);
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('searches notes, what the customer wrote, and what we wrote', async () => {
      const found = await receive(newDigits(), 'text', `Orchid${locale} from them`);
      const path = `/conversations/${found.conversation_id}`;
      await owner.at('POST', `${path}/notes`, { body: `Orchid${locale} between us` });
      await owner.at('POST', `${path}/messages`, { kind: 'text', body: `Orchid${locale} from us` });
      const { page } = await open('', locale);
      await page.getByRole('searchbox').fill(`orchid${locale}`);
      const results = page.locator('a[href*="message="]');
      const shown = (count: number) =>
        eventually(
          () => results.count(),
          (now) => now === count,
        );
      await shown(3);
      const choose = async (name: RegExp, option: string) => {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      const words =
        locale === 'en'
          ? { author: /Written by/, notes: 'Notes', them: 'From the customer' }
          : { author: /كاتب الرسالة/, notes: 'الملاحظات', them: 'من العميل' };
      await choose(words.author, words.notes);
      await shown(1);
      assert.match(await results.first().innerText(), /between us/);
      await choose(words.author, words.them);
      await eventually(
        () => results.first().innerText(),
        (text) => text.includes('from them'),
      );
      await page.context().close();
    });

    it('says in the language of the page that a found message cannot be shown', async () => {
      const { id } = await receive(newDigits(), 'unsupported', { type: 'poll' });
      const { page } = await open('', locale);
      await page.getByRole('searchbox').fill('poll currently not supported');
      const hit = page.locator(`a[href*="message=${id}"]`);
      await hit.getByText(locale === 'en' ? 'Cannot be shown here: poll' : 'لا يمكن العرض هنا: ').waitFor();
      assert.equal(await hit.locator('mark').count(), 0);
      await page.context().close();
    });

    it('shows hostile texts as they are, in the thread, the list and the search', async () => {
      const hostile = [
        '<script>document.title = "gone"</script>',
        '<img src=x onerror="document.title=1">',
        '<svg onload="document.title=1"><a xlink:href="javascript:alert(1)">x</a></svg>',
        'javascript:alert(1) data:text/html,<script>1</script>',
        '{{constructor.constructor("return document")()}} $' + '{document.title}',
        '\u202Ereversed\u202C \u2067isolated\u2069',
      ];
      const digits = newDigits();
      const marked = (text: string) => `hostile${locale} ${text}`;
      const ids: string[] = [];
      let conversation_id = '';
      for (const text of hostile) {
        const message = await receive(digits, 'text', marked(text));
        ids.push(message.id);
        conversation_id = message.conversation_id;
      }
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await page.evaluate(
        `addEventListener('securitypolicyviolation', () => { window.violations = (window.violations ?? 0) + 1; })`,
      );
      for (const [n, id] of ids.entries()) {
        const text = await bubble(page, id).innerText();
        if (n < 5) assert.ok(text.includes(hostile[n]!), text);
        assert.equal(await bubble(page, id).locator('script, img, svg[onload], a[href^="javascript:"]').count(), 0);
      }
      await page.getByRole('searchbox').fill(`hostile${locale}`);
      const results = page.locator('a[href*="message="]');
      await eventually(
        () => results.count(),
        (count) => count === hostile.length,
      );
      assert.equal(await results.locator('script, img').count(), 0);
      assert.equal(await page.evaluate('window.violations ?? 0'), 0);
      assert.notEqual(await page.title(), 'gone');
      assert.deepEqual(troubles, []);
      await page.context().close();
    });
  });
}
