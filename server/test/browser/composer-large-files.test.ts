import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { limits } from '@majlis/contract/limits';
import { createApi } from '@majlis/testing/api';
import { composerWords } from '@majlis/testing/composer-words';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import type { AnyJson } from '@majlis/testing/json';
import { makeHollowDocument } from '@majlis/testing/make-hollow-document';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { callOperator, requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { filesAtPlatform } from '@majlis/testing/platform-files';
import { processMemory } from '@majlis/testing/process-memory';
import { makeFolder } from '@majlis/testing/start-process';
import type { Page } from 'playwright-core';
import { publicId } from '../../src/database/ids.ts';

const bytes = limits.media_bytes.document;
const names = ['one.pdf', 'two.pdf', 'three.pdf', 'فاتورة.pdf', 'five.pdf'] as const;
type Name = (typeof names)[number];
/** What 5 files may add to the memory of the service, in MB. One file that is held in memory adds 100. */
const mostGrowthMb = 64;

const middleOf = (name: Name) => `The middle of ${name}.`;

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Drops files of the disk on the composer, as the system does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const box = await page.locator('section[data-mode] textarea').boundingBox();
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: box!.x + 20, y: box!.y + 10, data });
  }
}

const environment = await createFaultEnvironment({ simulator: { keep_media_bytes: 6 * bytes } });
const { majlis, workspace } = await startFaultService(environment, {}, { customers: 2 });
const { workspace: named } = await callOperator(majlis.url, 'PUT', '/workspaces', {
  workspace: { name: workspace.name, country: 'OM' },
});
const operator = (method: string, at: string, body?: unknown) => requestOperator(majlis.url, method, at, body);
const applied = { workspace: { name: workspace.name } };
const member = await joinWorkspace({ url: majlis.url, operator }, { id: named.id, applied }, { name: 'Muna Salim' });
const network = await startFaultyProxy(Number(new URL(majlis.url).port));
const url = `http://127.0.0.1:${network.port}`;
const pages = await openPages({ url });
const words = composerWords.en;

describe('five documents of 100 MB that are dropped on the composer', () => {
  it('arrive once and in order but for the cancelled one, though a connection is cut, and the page answers', async () => {
    const folder = await makeFolder();
    const files = await Promise.all(
      names.map((name) => makeHollowDocument(path.join(folder, name), bytes, { [bytes / 2]: middleOf(name) })),
    );
    const rows = await environment.sql<{ id: string }>('select id from conversations order by id');
    const [conversation_id, other_id] = rows.map(({ id }) => publicId('conversation', id)) as [string, string];
    const subject = { url, workspace: { id: named.id }, member, conversation_id };
    const { page, reply, troubles } = await openComposer(pages, subject);
    const strip = page.getByRole('list', { name: words.attachments });
    const item = (name: Name) => strip.getByRole('listitem').filter({ hasText: name });
    const rowOf = (id: string) => page.locator(`main li a[data-id="${id}"]`);

    // The network holds each file in its middle until the test lets it go on, or cuts it.
    const goOn = new Map<Name, () => void>();
    const cut = new Map<Name, () => void>();
    for (const name of names) {
      network.holdBack(middleOf(name), (reset) => {
        cut.set(name, reset);
        return new Promise<void>((resolve) => goOn.set(name, resolve));
      });
    }
    async function inMiddle(name: Name): Promise<void> {
      const bar = page.getByRole('progressbar', { name });
      await eventually(
        async () => goOn.has(name) && Number(await bar.evaluate((progress: AnyJson) => progress.value)),
        (part) => part !== false && part > 0.4 && part < 1,
      );
    }

    const memory = processMemory(majlis.pid());
    await memory.forgetPeak();
    const idle = await memory.now();
    await drop(page, files);
    await inMiddle('one.pdf');
    await inMiddle('two.pdf');
    await item('five.pdf').getByText(words.waiting).waitFor();

    // The uploads leave connections for what the person does: another conversation opens while they stand still.
    await rowOf(other_id).click();
    await page.locator('[role=feed] [data-message]').first().waitFor();
    assert.equal(await strip.count(), 0);
    await rowOf(conversation_id).click();

    await item('one.pdf').getByRole('button', { name: words.cancel_upload }).click();
    await item('one.pdf').waitFor({ state: 'detached' });
    // The network sees the end of a connection as soon as it reads on.
    goOn.get('one.pdf')!();
    await inMiddle('three.pdf');
    // The browser itself tries again over each connection that was open before.
    const cutAgain = async (reset: () => void) => {
      network.holdBack(middleOf('two.pdf'), cutAgain);
      reset();
    };
    await cutAgain(cut.get('two.pdf')!);
    await item('two.pdf').getByText(words.no_network).waitFor();
    network.holdBack(middleOf('two.pdf'), async () => {});
    await inMiddle('فاتورة.pdf');
    goOn.get('three.pdf')!();
    goOn.get('فاتورة.pdf')!();
    await inMiddle('five.pdf');
    await item('two.pdf').getByRole('button', { name: words.retry_upload }).click();
    goOn.get('five.pdf')!();
    for (const name of names.slice(1)) await item(name).getByText(words.ready).waitFor();
    await eventually(
      () => readdir(path.join(environment.data_dir, 'media', 'incoming')),
      (left) => left.length === 0,
    );

    await reply.fill('The plans');
    await reply.press('Enter');
    const api = createApi(majlis.url, workspace.key);
    const sent = await filesAtPlatform(environment, { api }, conversation_id, 4);
    const digests = await Promise.all(files.slice(1).map(digestOf));
    assert.deepEqual(
      sent.map(({ type, body, bytes }) => [
        type,
        body.filename,
        body.caption,
        createHash('sha256').update(bytes).digest('hex'),
      ]),
      names.slice(1).map((name, n) => ['document', name, n === 0 ? 'The plans' : undefined, digests[n]]),
    );
    const ledger = environment.simulator.ledger().filter(({ body }: AnyJson) => body?.type === 'document');
    assert.deepEqual(
      ledger.map(({ body }: AnyJson) => body.document.filename),
      names.slice(1),
    );
    const growth = Math.round((await memory.peak()) - idle);
    assert.ok(growth <= mostGrowthMb, `the service's memory grew by ${growth} MB`);
    assert.deepEqual(troubles, []);
  });
});
