import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

describe('the thread of a row', () => {
  it('is read when the pointer comes to it, and not when the list moves under a resting pointer', async () => {
    const customers = Array.from({ length: 6 }, () => newDigits());
    for (const digits of customers) await receiveText(majlis, workspace, digits, 'Hello');
    const path = `/w/${workspace.id}/inbox`;
    const { page } = await openSignedIn(pages, { url: majlis.url, member, path });
    const threads: string[] = [];
    page.on('request', (request) => {
      const [, id] = /\/conversations\/(\w+)\/thread$/.exec(new URL(request.url()).pathname) ?? [];
      if (id) threads.push(id);
    });
    const rows = page.locator('main li a[data-id]');
    const idAt = (n: number) => rows.nth(n).getAttribute('data-id');
    await eventually(
      () => rows.count(),
      (count) => count === customers.length,
    );
    const box = (await rows.nth(1).boundingBox())!;
    const first = await idAt(1);
    await page.mouse.move(box.x + 100, box.y + 10);
    await page.mouse.move(box.x + 104, box.y + 12);
    await eventually(
      () => threads,
      (read) => read.includes(first!),
    );
    // The pointer holds the rows for two seconds. Each new row pushes another one under it.
    for (let n = 0; n < 6; n++) {
      const before = await idAt(1);
      await receiveText(majlis, workspace, newDigits(), 'Anybody?');
      await eventually(
        () => idAt(1),
        (id) => id !== before,
      );
      // A timer of the page ends after those that it began before.
      await page.evaluate('new Promise((ended) => setTimeout(ended, 200))');
    }
    const [under] = await page.evaluate<string[]>(`[document.querySelector('main li a:hover').dataset.id]`);
    assert.notEqual(under, first);
    assert.deepEqual(threads, [first]);
    await page.context().close();
  });
});
