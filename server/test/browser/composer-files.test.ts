import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@majlis/contract/limits';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { samples, sized } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { filesAtPlatform } from '@majlis/testing/platform-files';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const { url } = majlis;
const pages = await openPages(majlis);

/** Pastes or drops a file as a browser tells the page of it. */
function give(target: Locator, event: 'paste' | 'drop', name: string, type: string, bytes: Buffer): Promise<void> {
  return target.evaluate(
    (element: AnyJson, given) => {
      // The page's own objects have no types here.
      const { DataTransfer, File, ClipboardEvent, DragEvent, atob } = globalThis as AnyJson;
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(given.bytes) as string, (one) => one.charCodeAt(0));
      data.items.add(new File([content], given.name, { type: given.type }));
      const more = { bubbles: true, cancelable: true };
      if (given.event === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...more, clipboardData: data }));
      else element.dispatchEvent(new DragEvent('drop', { ...more, dataTransfer: data }));
    },
    { name, type, event, bytes: bytes.toString('base64') },
  );
}

/** Chooses files as the picker of the system answers them. */
async function pick(page: Page, label: string, ...files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('toolbar').getByRole('button', { name: label }).click();
  await (await chosen).setFiles(files);
}

const png = (name: string, buffer = samples.png) => ({ name, mimeType: 'image/png', buffer });

for (const locale of languages)
  describe(`files, in ${locale},`, () => {
    async function open() {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const opened = await openComposer(pages, { url, workspace, member, conversation_id }, { locale });
      const strip = opened.page.getByRole('list', { name: opened.words.attachments });
      const send = opened.page.getByRole('button', { name: opened.words.send, exact: true });
      return { ...opened, conversation_id, strip, items: strip.getByRole('listitem'), send };
    }

    it('that are pasted, dropped and picked arrive byte for byte, with the text on the first one', async () => {
      const { page, words, reply, items, conversation_id, context, troubles } = await open();
      await give(reply, 'paste', 'front.png', 'image/png', samples.png);
      await give(reply, 'drop', 'فاتورة.pdf', 'application/pdf', samples.pdf);
      await pick(page, words.attach, { name: 'back.jpg', mimeType: 'image/jpeg', buffer: samples.jpeg });
      await items.nth(2).getByText(words.ready).waitFor();
      await items.nth(1).getByText(words.ready).waitFor();
      await items.nth(0).getByText(words.ready).waitFor();
      const picture = items.first().locator('img');
      await eventually(
        () => picture.evaluate((image: AnyJson) => image.naturalWidth as number),
        (width) => width === 1,
      );
      assert.equal(await items.nth(1).getByText('فاتورة.pdf').isVisible(), true);
      await reply.fill('All of them');
      await reply.press('Enter');
      const files = await filesAtPlatform(majlis, workspace, conversation_id, 3);
      assert.deepEqual(
        files.map(({ type, body, bytes }) => [type, body.caption, body.filename, bytes.toString('hex')]),
        [
          ['image', 'All of them', undefined, samples.png.toString('hex')],
          ['document', undefined, 'فاتورة.pdf', samples.pdf.toString('hex')],
          ['image', undefined, undefined, samples.jpeg.toString('hex')],
        ],
      );
      assert.equal(await items.count(), 0);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('show how far their upload is, and are cancelled on the way', async () => {
      const { page, words, strip, conversation_id, context } = await open();
      const network = await context.newCDPSession(page);
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
      await network.send('Network.emulateNetworkConditions', slow);
      let cancelled = 0;
      page.on('requestfailed', (request) => {
        if (request.url().endsWith('/media')) cancelled += 1;
      });
      await pick(page, words.attach, png('slow.png', sized(samples.png, 4_000_000)));
      const bar = page.getByRole('progressbar', { name: 'slow.png' });
      const part = await eventually(
        async () => Number(await bar.evaluate((progress: AnyJson) => progress.value)),
        (value) => value > 0,
      );
      assert.ok(part < 1, String(part));
      await page.getByRole('button', { name: words.cancel_upload }).click();
      await strip.waitFor({ state: 'detached' });
      await eventually(
        () => cancelled,
        (count) => count === 1,
      );
      const { data } = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body;
      assert.equal(data.length, 1);
      await context.close();
    });

    it('whose upload failed are uploaded again, and go nowhere before', async () => {
      const { page, words, reply, strip, send, conversation_id, context } = await open();
      let attempts = 0;
      await page.route('**/media', (route) => {
        attempts += 1;
        return attempts === 1 ? route.abort() : route.continue();
      });
      await give(reply, 'paste', 'front.png', 'image/png', samples.png);
      const again = page.getByRole('button', { name: words.retry_upload });
      await again.waitFor();
      await send.click();
      await page.getByText(words.remove_failed).waitFor();
      await again.click();
      await strip.getByText(words.ready).waitFor();
      await send.click();
      const [file] = await filesAtPlatform(majlis, workspace, conversation_id, 1);
      assert.deepEqual([attempts, file!.bytes.equals(samples.png)], [2, true]);
      await context.close();
    });

    it('that are empty or too large are refused in words, and nothing of them is uploaded', async () => {
      const { page, words, items, context } = await open();
      let uploads = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/media')) uploads += 1;
      });
      const large = png('large.png', sized(samples.png, limits.media_bytes.image + 1));
      await pick(page, words.attach, png('empty.png', Buffer.alloc(0)), large);
      await items.filter({ hasText: 'empty.png' }).getByText(words.empty_file).waitFor();
      await items.filter({ hasText: 'large.png' }).getByText(words.large_file).waitFor();
      await page.getByRole('button', { name: words.remove }).first().click();
      await items.nth(1).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: words.remove }).click();
      await items.first().waitFor({ state: 'detached' });
      assert.equal(uploads, 0);
      await context.close();
    });
  });
