import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { makeHollowDocument } from '@majlis/testing/make-hollow-document';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { makeFolder } from '@majlis/testing/start-process';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const network = await startFaultyProxy(Number(new URL(majlis.url).port));
const url = `http://127.0.0.1:${network.port}`;
const pages = await openPages({ url });
const folder = await makeFolder();

const megabyte = 1_000_000;
/** More than the buffers of a connection take, so that the page sees where the network stands. */
const farMb = 16;

/** Lets the time of the page pass, in pieces as it checks for a silence. */
async function passTime(page: Page, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 15) await page.clock.fastForward(15_000);
}

/** Tells when the browser has taken the last byte. Its patience changes then, which nothing on the screen tells. */
const tellLastByte = `
  const open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (...args) {
    this.upload.addEventListener('load', () => { globalThis.hasLastByte = true; });
    return open.apply(this, args);
  };`;

/** The network holds what follows this text. Answers when it has come so far, with what lets it go on. */
function holdAt(text: string): Promise<() => void> {
  return new Promise((hasCome) => {
    network.holdBack(text, () => new Promise<void>((goOn) => hasCome(goOn)));
  });
}

for (const locale of languages)
  describe(`an upload over a silent network, in ${locale},`, () => {
    async function open() {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const opened = await openComposer(pages, { url, workspace, member, conversation_id }, { locale });
      const { page, words, reply } = opened;
      await page.clock.install();
      await page.addInitScript(tellLastByte);
      await page.reload();
      await reply.waitFor();
      const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      const barOf = (name: string) => page.getByRole('progressbar', { name });
      const partOf = async (name: string) => Number(await barOf(name).evaluate((bar: AnyJson) => bar.value));
      async function attach(...files: string[]) {
        const chosen = page.waitForEvent('filechooser');
        await page.getByRole('toolbar').getByRole('button', { name: words.attach }).click();
        await (await chosen).setFiles(files);
      }
      return { ...opened, item, partOf, attach };
    }

    it('ends as failed and gives its place to the next one, but to none that was removed', async () => {
      const { page, words, item, attach, context } = await open();
      const make = (name: string, mb: number, text: string) =>
        makeHollowDocument(path.join(folder, `${locale}-${name}`), mb * megabyte, { 100: text });
      const [long, short, removed, next] = await Promise.all([
        make('long.pdf', 2 * farMb, `long in ${locale}`),
        make('short.pdf', 0.01, `short in ${locale}`),
        make('removed.pdf', 0.01, `removed in ${locale}`),
        make('next.pdf', 0.01, `next in ${locale}`),
      ]);
      let uploads = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/media')) uploads += 1;
      });
      const dead = [holdAt(`long in ${locale}`), holdAt(`short in ${locale}`)];
      await attach(long!, short!, removed!, next!);
      // Of one file bytes are left, of the other one the answer alone.
      const goOn = await Promise.all(dead);
      await item('removed.pdf').getByText(words.waiting).waitFor();
      await item('removed.pdf').getByRole('button', { name: words.cancel_upload }).click();
      await item('next.pdf').getByText(words.waiting).waitFor();
      await passTime(page, 150);
      await item('long.pdf').getByText(words.no_network).waitFor();
      await item('short.pdf').getByText(words.no_network).waitFor();
      await item('next.pdf').getByText(words.ready).waitFor();
      assert.equal(uploads, 3);
      for (const mend of goOn) mend();
      await item('long.pdf').getByRole('button', { name: words.retry_upload }).click();
      await item('short.pdf').getByRole('button', { name: words.retry_upload }).click();
      await item('long.pdf').getByText(words.ready).waitFor();
      await item('short.pdf').getByText(words.ready).waitFor();
      assert.equal(uploads, 5);
      await context.close();
    });

    it('goes on as long as bytes move, and while the service stores them', async () => {
      const { page, words, item, partOf, attach, context } = await open();
      const mb = 4 * farMb;
      const places = [1, 2, 3].map((part) => ({ at: part * farMb * megabyte, text: `part ${part} in ${locale}` }));
      const last = `the end in ${locale}`;
      const texts = Object.fromEntries(places.map(({ at, text }) => [at, text]));
      const file = await makeHollowDocument(path.join(folder, `${locale}-slow.pdf`), mb * megabyte, {
        ...texts,
        [mb * megabyte - 100]: last,
      });
      let come = holdAt(places[0]!.text);
      await attach(file);
      let before = 0;
      for (const text of [...places.slice(1).map((place) => place.text), last]) {
        const goOn = await come;
        const known = before;
        before = await eventually(
          () => partOf('slow.pdf'),
          (part) => part > known,
        );
        await passTime(page, 90);
        come = holdAt(text);
        goOn();
      }
      const goOn = await come;
      await eventually(() => page.evaluate('globalThis.hasLastByte'), Boolean);
      await eventually(
        () => partOf('slow.pdf'),
        (part) => part === 1,
      );
      // The buffers may have taken the last byte 90 seconds ago already: the patience for storing 64 MB is 312 seconds.
      await passTime(page, 195);
      assert.equal(await item('slow.pdf').getByText(words.no_network).count(), 0);
      goOn();
      await item('slow.pdf').getByText(words.ready).waitFor();
      await context.close();
    });
  });
