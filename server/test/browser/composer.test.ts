import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Route } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const pages = await openPages(majlis);

const { url } = majlis;
const sends = '**/conversations/*/messages';
const receive = () => receiveMessage(majlis, workspace, newDigits());
const open = (conversation_id: string, locale: 'en' | 'ar' = 'en') =>
  openComposer(pages, { url, workspace, member, conversation_id }, { locale });
const untilSent = (conversation_id: string, texts: string[]) =>
  eventually(
    () => sentTexts(workspace, conversation_id),
    (sent) => JSON.stringify(sent) === JSON.stringify(texts),
  );
const untilDrafts = (conversation_id: string, drafts: string[]) =>
  eventually(
    () => draftsOf(member, conversation_id),
    (found) => JSON.stringify(found) === JSON.stringify(drafts),
  );

for (const locale of languages)
  describe(`one send, in ${locale},`, () => {
    it('is one message after a double Enter', async () => {
      const { conversation_id } = await receive();
      const { reply, context, troubles } = await open(conversation_id, locale);
      await reply.fill('أهلاً Muna 12');
      await reply.press('Enter');
      await reply.press('Enter');
      await untilSent(conversation_id, ['أهلاً Muna 12']);
      await untilDrafts(conversation_id, []);
      assert.equal(await reply.inputValue(), '');
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['أهلاً Muna 12']);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('keeps its key when the answer is lost, so that it is one message', async () => {
      const { conversation_id } = await receive();
      const { page, reply, context } = await open(conversation_id, locale);
      const keys: (string | undefined)[] = [];
      await page.route(sends, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 2) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await reply.fill('On its way');
      await reply.press('Enter');
      await eventually(
        () => keys.length,
        (count) => count === 3,
      );
      await untilDrafts(conversation_id, []);
      assert.equal(keys.length, 3);
      assert.deepEqual([new Set(keys).size, keys[0] !== undefined], [1, true]);
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['On its way']);
      await context.close();
    });

    for (const isStored of [true, false]) {
      it(`goes on after a reload in its middle, ${isStored ? 'stored already' : 'not stored yet'}: one message`, async () => {
        const { conversation_id } = await receive();
        const { page, reply, context } = await open(conversation_id, locale);
        const caught = new Promise<void>((resolve) => {
          void page.route(sends, async (route: Route) => {
            if (route.request().method() !== 'POST') return route.continue();
            if (isStored) await route.fetch();
            resolve();
          });
        });
        await reply.fill('Sent once');
        await reply.press('Enter');
        await caught;
        const stored: string = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
        assert.match(stored, /majlis-send-/);
        assert.doesNotMatch(stored, /Sent once/);
        await page.unroute(sends);
        await page.reload();
        await untilSent(conversation_id, ['Sent once']);
        await untilDrafts(conversation_id, []);
        // The page forgets the send once it has the answers of the service.
        await eventually(
          () => page.evaluate('sessionStorage.length'),
          (length) => length === 0,
        );
        await page.reload();
        await page.locator('textarea:read-write').waitFor();
        assert.equal(await reply.inputValue(), '');
        assert.equal(await page.evaluate('sessionStorage.length'), 0);
        assert.deepEqual(await sentTexts(workspace, conversation_id), ['Sent once']);
        await context.close();
      });
    }

    it('keeps the order of messages that are written while the first one is on its way', async () => {
      const { conversation_id } = await receive();
      const { page, reply, context } = await open(conversation_id, locale);
      let attempts = 0;
      await page.route(sends, (route) => {
        const isPost = route.request().method() === 'POST';
        attempts += isPost ? 1 : 0;
        return isPost && attempts === 1 ? route.abort() : route.continue();
      });
      for (const text of ['One', 'Two', 'Three']) {
        await reply.fill(text);
        await reply.press('Enter');
      }
      await reply.fill('Four, not sent');
      await untilSent(conversation_id, ['One', 'Two', 'Three']);
      await untilDrafts(conversation_id, ['reply: Four, not sent']);
      await context.close();
    });

    it('never changes its recipient when the person opens another conversation meanwhile', async () => {
      const [first, second] = [await receive(), await receive()];
      const { page, reply, context } = await open(first.conversation_id, locale);
      const held: Route[] = [];
      await page.route(sends, (route) => {
        if (route.request().method() === 'POST') held.push(route);
        else void route.continue();
      });
      await reply.fill('For the first');
      await reply.press('Enter');
      await eventually(
        () => held.length,
        (count) => count === 1,
      );
      await page.locator(`a[href$="${second.conversation_id}"]`).first().click();
      await page.waitForURL(`**/${second.conversation_id}`);
      await page.locator('textarea:read-write').waitFor();
      assert.equal(await reply.inputValue(), '');
      await reply.fill('For the second');
      await held[0]!.continue();
      await page.unroute(sends);
      await untilSent(first.conversation_id, ['For the first']);
      await reply.press('Enter');
      await untilSent(second.conversation_id, ['For the second']);
      assert.deepEqual(await sentTexts(workspace, first.conversation_id), ['For the first']);
      await context.close();
    });

    it('that is refused says why, and its text is in the field again', async () => {
      const { conversation_id, contact_id } = await receive();
      const { page, words, reply, context } = await open(conversation_id, locale);
      await page.route(sends, async (route) => {
        if (route.request().method() === 'POST') {
          await member.at('PATCH', `/contacts/${contact_id}`, { blocked: true });
        }
        await route.continue();
      });
      await reply.fill('Too late');
      await reply.press('Enter');
      await page.getByText(words.blocked).waitFor();
      assert.equal(await reply.inputValue(), 'Too late');
      await untilDrafts(conversation_id, ['reply: Too late']);
      await page.unroute(sends);
      await page.getByRole('button', { name: words.unblock }).click();
      await page.getByRole('button', { name: words.send, exact: true }).click();
      await untilSent(conversation_id, ['Too late']);
      await context.close();
    });

    it('leaves though the browser refuses all its storage', async () => {
      const { conversation_id } = await receive();
      const { page, reply, context } = await open(conversation_id, locale);
      const refuse = `Object.defineProperty(globalThis, name, { get() { throw new DOMException('no', 'SecurityError'); } });`;
      await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) ${refuse}`);
      await page.reload();
      for (const text of ['First', 'Second']) {
        await reply.fill(text);
        await reply.press('Enter');
      }
      await untilSent(conversation_id, ['First', 'Second']);
      await untilDrafts(conversation_id, []);
      await context.close();
    });

    it('leaves the Enter of an input method to it, and makes a line of Shift and Enter', async () => {
      const { conversation_id } = await receive();
      const { page, reply, context } = await open(conversation_id, locale);
      await reply.fill('First');
      await reply.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      await reply.press('End');
      await reply.press('Shift+Enter');
      await page.keyboard.type('Second');
      await reply.press('Enter');
      await untilSent(conversation_id, ['First\nSecond']);
      await context.close();
    });
  });
