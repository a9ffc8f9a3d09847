import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

const words = {
  en: { reopen: 'Reopen', close: 'Close' },
  ar: { reopen: 'إعادة فتح', close: 'إغلاق المحادثة' },
};
const [slowMs, quickMs] = [600, 200];

for (const locale of languages) {
  const say = words[locale];

  /** A page with a closed conversation, which has opened the dialog of a closing before. */
  const openClosed = async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    const opened = await openSignedIn(
      pages,
      { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox/${id}` },
      { locale, viewport: { width: 1440, height: 900 } },
    );
    const { page } = opened;
    await page.locator('textarea:read-write').waitFor();
    const header = page.locator('main header').filter({ has: page.locator('h2') });
    await header.getByRole('button', { name: say.close, exact: true }).click();
    await page.getByRole('dialog').locator('button[type=submit]').click();
    const reopen = header.getByRole('button', { name: say.reopen, exact: true });
    const close = header.getByRole('button', { name: say.close, exact: true });
    await reopen.waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const status = async () => (await aisha.at('GET', `/conversations/${id}`)).body.status;
    return { ...opened, reopen, close, status };
  };
  /** Presses a key at a moment of the page. Answers whether the page left it to the browser. */
  const press = (page: Page, code: string, at: number): Promise<boolean> =>
    page.evaluate(
      `(() => {
        const event = new KeyboardEvent('keydown', { code: '${code}', key: '${code}', bubbles: true, cancelable: true });
        Object.defineProperty(event, 'timeStamp', { value: ${at} });
        return (document.activeElement ?? document.body).dispatchEvent(event);
      })()`,
    );

  describe(`a double press on what reopens a conversation, in ${locale},`, () => {
    it('by the pointer does not press what closes it, which comes in its place', async () => {
      const { page, context, troubles, reopen, close, status } = await openClosed();
      const box = (await reopen.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      for (const clickCount of [1, 2]) {
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
        await close.waitFor();
      }
      await drawn(page);
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.equal(await status(), 'open');
      // A press by itself does what the button says.
      await close.click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('as the first touch of the page does not press what closes it', async () => {
      for (const kind of ['pointer', 'Enter']) {
        const { page, context, reopen, close, status } = await openClosed();
        await page.reload();
        await reopen.waitFor();
        // A finger moves nothing before it presses.
        const touch = (detail: number) =>
          page.evaluate(`for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
            const Kind = kind.startsWith('pointer') ? PointerEvent : MouseEvent;
            target().dispatchEvent(new Kind(kind, { detail: ${detail}, bubbles: true, cancelable: true, button: 0 }));
          }`);
        const names = JSON.stringify([say.reopen, say.close]);
        await page.evaluate(`globalThis.target = () => [...document.querySelectorAll('main header button')]
          .find((one) => ${names}.includes(one.getAttribute('aria-label') ?? one.textContent))`);
        const second = async () => {
          if (kind === 'pointer') await touch(2);
          else if (await press(page, 'Enter', 30_000 + quickMs)) await page.evaluate('target().click()');
        };
        if (kind === 'pointer') await touch(1);
        else {
          await reopen.focus();
          await press(page, 'Enter', 30_000);
          await page.evaluate('target().click()');
        }
        await close.waitFor();
        await second();
        await drawn(page);
        assert.deepEqual([await page.getByRole('dialog').count(), await status()], [0, 'open'], kind);
        await context.close();
      }
    });

    it('by its key does not press what closes it', async () => {
      const { page, context, close } = await openClosed();
      await page.evaluate('document.activeElement?.blur()');
      await press(page, 'KeyE', 10_000);
      await close.waitFor();
      await press(page, 'KeyE', 10_000 + quickMs);
      await drawn(page);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await press(page, 'KeyE', 10_000 + slowMs);
      await page.getByRole('dialog').waitFor();
      await context.close();
    });

    it('by Enter on its button does not press what closes it', async () => {
      const { page, context, reopen, close } = await openClosed();
      await reopen.focus();
      const leaves = [await press(page, 'Enter', 20_000)];
      // What a browser does for an Enter of a person.
      await page.evaluate('document.activeElement.click()');
      await close.waitFor();
      assert.equal(await close.evaluate('document.activeElement?.textContent'), say.close);
      leaves.push(await press(page, 'Enter', 20_000 + quickMs), await press(page, 'Enter', 20_000 + slowMs));
      assert.deepEqual(leaves, [true, false, true]);
      await context.close();
    });
  });

  describe(`a dialog in ${locale}`, () => {
    it('leaves the keys of the page behind it without effect', async () => {
      const { page, context, troubles } = await openClosed();
      await page.locator('textarea:read-write').fill('For later');
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press('Control+KeyK');
      const field = page.getByRole('dialog').locator('input');
      await field.fill('th');
      // Once more: the palette stays as it is, and takes what is typed.
      await page.keyboard.press('Control+KeyK');
      await page.keyboard.type('eme');
      await eventually(
        () => field.inputValue(),
        (text) => text === 'theme',
      );
      await field.fill('');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+Slash');
      await page.getByRole('dialog').waitFor();
      for (const key of ['Control+KeyK', 'Control+Shift+Enter']) {
        await page.keyboard.press(key);
        await drawn(page);
        assert.deepEqual([await page.getByRole('dialog').count(), await page.getByRole('menu').count()], [1, 0], key);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
