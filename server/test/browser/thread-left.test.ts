import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { createLongThread, readDown } from '@majlis/testing/long-threads';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (place: string) =>
  openSignedIn(pages, { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` });
const article = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);

const makeThread = createLongThread(receive, owner);

/** Holds the requests that match until `release`. */
async function hold(page: Page, matching: RegExp) {
  const released = Promise.withResolvers<void>();
  let held = 0;
  await page.route(matching, async (route) => {
    held++;
    await released.promise;
    await route.continue();
  });
  return { held: () => held, release: released.resolve };
}

/** Turns the wheel over the thread until something is true. */
async function wheelUntil(page: Page, deltaY: number, isReached: () => Promise<boolean> | boolean): Promise<void> {
  await eventually(
    async () => {
      await page.locator('[role=feed]').hover();
      await page.mouse.wheel(0, deltaY);
      return isReached();
    },
    (reached) => reached,
  );
}

async function choose(page: Page, conversation_id: string): Promise<void> {
  await page.locator(`a[href*="/inbox/${conversation_id}"]`).first().click();
  await page.waitForURL((url) => url.pathname.endsWith(conversation_id));
}

it('a jump is tried again after a failure, though the person scrolls meanwhile', async () => {
  const { conversation_id, ids, send } = await makeThread(130);
  const { body } = await send('About your first line', { reply_to_id: ids[0] });
  const { page } = await open(`/${conversation_id}`);
  await article(page, body.id).waitFor();
  const fail = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(/thread\?around=/, async (route) => {
    if (asked++ > 0) return route.continue();
    await fail.promise;
    await route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
  });
  await article(page, body.id)
    .getByRole('button', { name: /quoted/ })
    .click();
  await eventually(
    () => asked,
    (count) => count > 0,
  );
  await wheelUntil(page, -400, () => page.locator('[role=feed]').evaluate((feed) => feed.scrollTop < 400));
  fail.resolve();
  await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
  await page.context().close();
});

describe('a thread that is left while a part of it is on its way', () => {
  it('opens at its newest message again', async () => {
    const [other, { conversation_id, ids }] = [await makeThread(2), await makeThread(130)];
    const { page, troubles } = await open(`/${conversation_id}`);
    await article(page, ids.at(-1)!).waitFor();
    const later = await hold(page, /thread\?after=/);
    await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id}?message=${ids[0]}`);
    await article(page, ids[0]!).waitFor();
    await wheelUntil(page, 400, () => later.held() > 0);
    const answered = page.waitForResponse(/thread\?after=/);
    await choose(page, other.conversation_id);
    await article(page, other.ids[1]!).waitFor();
    later.release();
    await (await answered).finished();

    await choose(page, conversation_id);
    await article(page, ids.at(-1)!).waitFor();
    assert.deepEqual(troubles, []);
    await page.context().close();
  });

  it('has no hole between what it kept and what came', async () => {
    const [other, { conversation_id, ids }] = [await makeThread(2), await makeThread(220)];
    const { page, troubles } = await open(`/${conversation_id}`);
    await article(page, ids.at(-1)!).waitFor();
    let parts = 0;
    page.on('response', (response) => {
      if (/thread\?before=/.test(response.url())) parts++;
    });
    await wheelUntil(page, -600, () => parts >= 2);
    const earlier = await hold(page, /thread\?before=/);
    await wheelUntil(page, -600, () => earlier.held() > 0);
    const answered = page.waitForResponse(/thread\?before=/);
    await choose(page, other.conversation_id);
    await article(page, other.ids[1]!).waitFor();
    earlier.release();
    await (await answered).finished();

    await choose(page, conversation_id);
    await article(page, ids.at(-1)!).waitFor();
    await wheelUntil(page, -600, () => article(page, ids[0]!).isVisible());
    const seen = await readDown(page);
    assert.deepEqual(
      ids.filter((id) => !seen.has(id)),
      [],
    );
    assert.deepEqual(troubles, []);
    await page.context().close();
  });
});
