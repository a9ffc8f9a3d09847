import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

// A list of more conversations than a page shows.

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

const count = 130;
const height = 800;
const pageLength = 50;
/** More rows than stand in sight, and fewer than a page of the list has. */
const mostDrawn = 40;
const nameOf = (n: number) => `Client ${String(n).padStart(3, '0')}`;
const clients = Array.from({ length: count }, (_, n) => ({ name: nameOf(n), wa_id: newDigits() }));

// One second for all: their order alone decides.
const timestamp = String(Math.floor(Date.now() / 1000));
await postNotification(majlis, workspace, {
  contacts: clients.map(({ name, wa_id }) => ({ profile: { name }, wa_id })),
  // The last one stands first in the list.
  messages: clients.map(({ name, wa_id }) => platformText(wa_id, `from ${name}`, { timestamp })).toReversed(),
});
await untilNotificationsProcessed(majlis);

async function openInbox(script?: string): Promise<Page> {
  const { page, context } = await pages.open({ viewport: { width: 1280, height } });
  if (script !== undefined) await context.addInitScript(script);
  await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
  await page.goto(`${majlis.url}/w/${workspace.id}/inbox`);
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.locator('main li a[data-id]');
const row = (page: Page, n: number) => rows(page).filter({ hasText: `from ${nameOf(n)}` });
const scroller = (page: Page) => page.locator('main [role=group]').locator('..');
const scroll = (page: Page, by: number) => scroller(page).evaluate((place, by) => place.scrollBy(0, by), by);
const topOf = (page: Page, n: number) => row(page, n).evaluate((link) => link.getBoundingClientRect().top);

describe('a list that is longer than the page', () => {
  it('draws the rows in sight alone, and reads on where it is scrolled', async () => {
    const page = await openInbox();
    assert.ok((await rows(page).count()) < mostDrawn, `${await rows(page).count()} rows`);
    await eventually(
      async () => {
        await scroll(page, 600);
        return row(page, count - 1).isVisible();
      },
      (isShown) => isShown,
    );
    assert.ok((await rows(page).count()) < mostDrawn, `${await rows(page).count()} rows`);
  });

  it('keeps the row that the keys reach in sight', async () => {
    const page = await openInbox();
    await row(page, 0).focus();
    for (let n = 1; n <= 30; n++) await page.keyboard.press('ArrowDown');
    await page
      .locator('main li a[data-id]:focus')
      .filter({ hasText: `from ${nameOf(30)}` })
      .waitFor();
    const bottom = await row(page, 30).evaluate((link) => link.getBoundingClientRect().bottom);
    assert.ok(bottom <= height, `${bottom} of ${height}`);
  });

  it('moves on by keys from a row that was never drawn', async () => {
    const page = await openInbox();
    await row(page, 0).focus();
    const focused = page.locator('main li a[data-id]:focus');
    const steps = [
      ['End', pageLength - 1],
      ['ArrowUp', pageLength - 2],
      ['Home', 0],
      ['ArrowDown', 1],
    ] as const;
    for (const [key, n] of steps) {
      await page.keyboard.press(key);
      await focused.filter({ hasText: `from ${nameOf(n)}` }).waitFor();
    }
  });

  it('leaves what a person reads where it is, while others move to the top', async () => {
    const page = await openInbox();
    await scroll(page, 1_205);
    await row(page, 25).waitFor();
    await row(page, 30).waitFor();
    const before = await topOf(page, 25);
    const { wa_id, name } = clients[30]!;
    await postNotification(majlis, workspace, {
      contacts: [{ profile: { name }, wa_id }],
      messages: [platformText(wa_id, 'once more')],
    });
    await row(page, 30).waitFor({ state: 'detached' });
    assert.equal(await topOf(page, 25), before);
    await scroll(page, -5_000);
    await rows(page).first().filter({ hasText: 'once more' }).waitFor();
  });

  it('leaves a person who scrolls to the top there, right after others have moved', async () => {
    // Scrolled as soon as it is drawn: the rows at the top were never measured.
    const page = await openInbox(`new MutationObserver((_, observer) => {
      const place = document.querySelector('main [role=group]')?.parentElement;
      if (!place?.querySelector('a[data-id]')) return;
      observer.disconnect();
      place.scrollBy(0, 1_205);
    }).observe(document, { childList: true, subtree: true })`);
    await row(page, 28).waitFor();
    const before = await scroller(page).evaluate((place: AnyJson) => place.scrollTop);
    const scrolled = scroller(page).evaluate(
      (place: AnyJson, before) =>
        new Promise<void>((ended) => {
          place.addEventListener('scroll', function toTop() {
            if (place.scrollTop <= before) return;
            place.removeEventListener('scroll', toTop);
            setTimeout(() => ended(place.scrollBy(0, -5_000)));
          });
        }),
      before,
    );
    const { wa_id, name } = clients[40]!;
    await postNotification(majlis, workspace, {
      contacts: [{ profile: { name }, wa_id }],
      messages: [platformText(wa_id, 'from far below')],
    });
    await scrolled;
    // A row is hidden until the list has measured it, and the list moves on at once.
    const { top } = await eventually(
      () =>
        scroller(page).evaluate((place: AnyJson) => {
          const drawn = place.querySelectorAll('li')[1];
          const isMeasured = place.ownerDocument.defaultView.getComputedStyle(drawn).visibility === 'visible';
          return { isMeasured: isMeasured && drawn.offsetTop < 100, top: place.scrollTop };
        }),
      ({ isMeasured, top }) => isMeasured || top > 0,
    );
    assert.equal(top, 0);
  });
});
