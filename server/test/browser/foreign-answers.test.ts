import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

/** The page of a hotel's network, which answers in the place of the service with success. */
const foreignPage = { status: 200, contentType: 'text/html', body: '<h1>Welcome! Please accept our terms.</h1>' };

async function openList() {
  const { id, conversation_id } = await receive(newDigits(), 'text', 'Where is my order?');
  const path = `/w/${workspace.id}/inbox`;
  const { page } = await openSignedIn(pages, { url: majlis.url, member: owner, path });
  const row = page.locator(`a[href*="/inbox/${conversation_id}"]`).first();
  await row.waitFor();
  return { page, row, conversation_id, message: page.locator(`article[data-id="${id}"]`) };
}

describe('answers that are not from the service', () => {
  it('reads a conversation again in whose place a foreign page came', async () => {
    const { page, row, message } = await openList();
    let pagesTold = 0;
    await page.route(/\/thread\?/, (route) => (pagesTold++ === 0 ? route.fulfill(foreignPage) : route.continue()));
    await row.click();
    await message.waitFor();
    assert.ok(pagesTold > 1);
    await page.context().close();
  });

  it('sends a message again, once, that a foreign page took', async () => {
    const { page, row, conversation_id, message } = await openList();
    await row.click();
    await message.waitFor();
    let pagesTold = 0;
    await page.route(/\/messages$/, async (route) => {
      if (route.request().method() !== 'POST' || pagesTold++ > 0) return route.continue();
      // The service has it, and its answer was replaced on the way.
      await route.fetch();
      await route.fulfill(foreignPage);
    });
    await page.locator('textarea:read-write').first().fill('It is on its way');
    await page.keyboard.press('Enter');
    await eventually(
      () => pagesTold,
      (told) => told > 1,
    );
    await page.locator('article[data-id^="msg_"]', { hasText: 'It is on its way' }).waitFor();
    const { body } = await owner.at('GET', `/conversations/${conversation_id}/thread`);
    const sent = body.data.filter((item: { body?: string }) => item.body === 'It is on its way');
    assert.equal(sent.length, 1);
    await page.context().close();
  });

  it('waits where a proxy names a date', async () => {
    const { page, row, message } = await openList();
    const asked: number[] = [];
    const wait_ms = 3_000;
    await page.route(/\/thread\?/, async (route) => {
      asked.push(performance.now());
      if (asked.length > 1) return route.continue();
      const headers = { 'retry-after': new Date(Date.now() + wait_ms + 1_000).toUTCString() };
      await route.fulfill({ ...foreignPage, status: 503, headers });
    });
    await row.click();
    await message.waitFor();
    assert.ok(asked[1]! - asked[0]! >= wait_ms, `${asked[1]! - asked[0]!} ms`);
    await page.context().close();
  });
});
