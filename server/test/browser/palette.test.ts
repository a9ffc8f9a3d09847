import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { searchOfPalette, untilFocused } from '@majlis/testing/until-focused';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

async function openInbox(locale = 'en', script = ''): Promise<Page> {
  const path = `/w/${workspace.id}/inbox`;
  const { page } = await openSignedIn(pages, { url: majlis.url, member: owner, path, script }, { locale });
  return page;
}

/** A new customer of this name writes. */
async function writes(name: string): Promise<void> {
  const wa_id = newDigits();
  const body = { contacts: [{ profile: { name }, wa_id }], messages: [platformText(wa_id, `from ${name}`)] };
  await postNotification(majlis, workspace, body);
}

const altGr = { ctrlKey: true, altKey: true, modifierAltGraph: true };

/** Letters by the keyboard of any layout, one after the other, without a pause. */
const typeKeys = (page: Page, letters: string, held = {}) =>
  page.evaluate(`for (const key of ${JSON.stringify([...letters])}) {
    const target = document.activeElement;
    const init = { key, bubbles: true, cancelable: true, ...${JSON.stringify(held)} };
    const isFree = target.dispatchEvent(new KeyboardEvent('keydown', init));
    if (isFree) document.execCommand('insertText', false, key);
  }`);

/**
 * The median of what the page works for a letter in the palette, to the list that is drawn with it, in milliseconds of its
 * main thread: what other processes of the machine take does not count.
 */
async function msToList(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  const times: number[] = [];
  for (let n = 0; n < 10; n++) {
    const from = await worked();
    await page.evaluate(`(() => {
      document.execCommand(...${JSON.stringify(n % 2 === 0 ? ['delete'] : ['insertText', false, 'e'])});
      return new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    })()`);
    times.push((await worked()) - from);
  }
  return times.toSorted((a, b) => a - b)[5]!;
}

describe('the palette of the console', () => {
  it('finds a command in the palette and performs it, without the mouse', async () => {
    const page = await openInbox();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: /^What do you want to do/ }).waitFor();
    await untilFocused(page, searchOfPalette);
    await page.keyboard.type('activity');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Activity log' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('opens no conversation that was found by the first letters alone', async () => {
    for (const name of ['Jameela Amin', 'Jamal Saeed']) await writes(name);
    const page = await openInbox();
    const answer = Promise.withResolvers<void>();
    await page.route('**/conversations?q=Jamal*', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+KeyK');
    await untilFocused(page, searchOfPalette);
    const hits = page.getByRole('dialog').getByRole('menuitem');
    await page.keyboard.type('Jam');
    await hits.filter({ hasText: 'Jameela' }).waitFor();
    const asked = page.waitForRequest('**/conversations?q=Jamal*');
    await page.keyboard.type('al');
    await asked;
    assert.equal(await hits.filter({ hasText: 'Jameela' }).count(), 0);
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('heading', { name: 'Jamal Saeed', level: 2 }).waitFor();
    answer.resolve();
    await page.context().close();
  });

  for (const [locale, letters, entry] of [
    ['en', 'activity', 'Activity log'],
    ['ar', 'سجل النشاط', 'سجل النشاط'],
  ] as const) {
    it(`keeps what is typed before the palette has loaded, and answers each letter within 50 ms (${locale})`, async () => {
      const page = await openInbox(locale);
      const loaded = Promise.withResolvers<void>();
      const asked = page.waitForRequest(/\/palette-[^/]*\.js/);
      await page.route(/\/palette-[^/]*\.js/, async (route) => {
        await loaded.promise;
        await route.continue();
      });
      await page.keyboard.press('Control+KeyK');
      await asked;
      await typeKeys(page, `${letters.slice(0, 2)}x`);
      await typeKeys(page, '€', altGr);
      for (let n = 0; n < 2; n++) await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      loaded.resolve();
      await typeKeys(page, letters.slice(2));
      const field = page.getByRole('dialog').getByRole('searchbox');
      await eventually(
        () => field.inputValue(),
        (value) => value === letters,
      );
      await page.getByRole('menuitem', { name: entry }).first().waitFor();
      const took = await msToList(page);
      assert.ok(took <= 50, `${took} ms from the key to the list`);
      // The first one clears the field.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // From then on, keys act on the page again.
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.context().close();
    });
  }

  it('opens a conversation by the number of its customer, however its digits are written', async () => {
    const handle = newDigits();
    const message = platformText(handle, 'by number');
    await postNotification(majlis, workspace, {
      contacts: [{ profile: { name: 'Noor' }, wa_id: handle }],
      messages: [message],
    });
    const page = await openInbox();
    const local = handle.slice(3);
    const arabicDigits = local.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!);
    for (const number of [`+${handle}`, `${local.slice(0, 4)} ${local.slice(4)}`, arabicDigits]) {
      await page.keyboard.press('Control+KeyK');
      await untilFocused(page, searchOfPalette);
      await page.keyboard.insertText(number);
      await page.getByRole('dialog').getByRole('menuitem', { name: 'Noor' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('main').getByRole('heading', { name: 'Noor', level: 2 }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await untilFocused(page, 'section[data-composer]');
    }
    // Escape leaves the field, and the focus stays at the composer, where the next Tab goes on.
    await page.locator('textarea:read-write').waitFor();
    await page.keyboard.press('KeyR');
    await untilFocused(page, 'textarea:read-write');
    await page.keyboard.press('Escape');
    await untilFocused(page, 'section[data-mode]');
    await page.keyboard.press('Tab');
    await untilFocused(page, 'section[data-mode] *');
    await page.context().close();
  });

  it('leaves the focus where the next key led it, however late the browser draws', async () => {
    await writes('Salma of late frames');
    const page = await openInbox();
    const openByPalette = async () => {
      await page.keyboard.press('Control+KeyK');
      await untilFocused(page, searchOfPalette);
      await page.keyboard.insertText('Salma of late');
      await page.getByRole('dialog').getByRole('menuitem', { name: 'Salma of late frames' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await openByPalette();
    await untilFocused(page, 'section[data-composer]');
    await page.locator('textarea:read-write').waitFor();
    const holdFrames = `{
      const drawn = requestAnimationFrame;
      const held = [];
      window.requestAnimationFrame = (callback) => held.push(callback);
      window.draw = () => {
        window.requestAnimationFrame = drawn;
        for (const callback of held) drawn(callback);
        return new Promise((resolve) => drawn(() => drawn(() => drawn(resolve))));
      };
    }`;
    await page.evaluate(holdFrames);
    await openByPalette();
    await page.keyboard.press('KeyR');
    await untilFocused(page, 'textarea:read-write');
    await page.evaluate('draw()');
    await untilFocused(page, 'textarea:read-write');
    await page.keyboard.press('Escape');
    await untilFocused(page, 'section[data-mode]');
    await page.evaluate(holdFrames);
    await page.keyboard.press('KeyR');
    await untilFocused(page, 'textarea:read-write');
    await page.keyboard.press('Escape');
    await page.evaluate('draw()');
    await untilFocused(page, 'section[data-mode]');
    await page.context().close();
  });

  it('opens by a key that is pressed as soon as the page stands', async () => {
    const script = `new MutationObserver((_, observer) => {
      if (!document.querySelector('h1')) return;
      observer.disconnect();
      const pressed = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', pressed));
    }).observe(document, { childList: true, subtree: true })`;
    const page = await openInbox('en', script);
    await untilFocused(page, searchOfPalette);
    await page.context().close();
  });
});
