import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { CDPSession } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const muna = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const pages = await openPages(majlis);

const shift = 8;
const ctrl = 2;

async function open() {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const at = { url: majlis.url, workspace, member: muna, conversation_id };
  const opened = await openComposer(pages, at, { viewport: { width: 1440, height: 900 } });
  await opened.page.evaluate('document.activeElement?.blur()');
  const keys = await opened.context.newCDPSession(opened.page);
  const assignee = async () => (await muna.at('GET', `/conversations/${conversation_id}`)).body.assignee_id;
  return { ...opened, keys, assignee };
}

/** A key as the browser tells it of any layout: what it writes, and its place. */
async function press(keys: CDPSession, key: string, code: string, modifiers = 0): Promise<void> {
  const event = { key, code, modifiers, ...([...key].length === 1 && modifiers !== ctrl && { text: key }) };
  await keys.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
  await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
}

describe('a shortcut', () => {
  it('is the letter that a German or French key writes, wherever the key stands', async () => {
    const { page, context, keys, assignee, troubles } = await open();
    // AZERTY: the letter A stands where others have Q.
    await press(keys, 'A', 'KeyQ', shift);
    await eventually(assignee, (id) => id === muna.user_id);
    // QWERTZ: the letter Z stands where others have Y, and Y where they have Z.
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await press(keys, 'z', 'KeyY');
    await eventually(assignee, (id) => id === undefined || id === null);
    await press(keys, 'q', 'KeyA');
    await press(keys, '/', 'Digit7', shift);
    await page.waitForFunction('document.activeElement.type === "search"');
    assert.equal(await page.getByRole('menu').count(), 0);
    await page.evaluate('document.activeElement.blur()');
    await press(keys, '?', 'Minus', shift);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('is the place of a key that writes Arabic or Persian, with Caps Lock and any digits too', async () => {
    const { page, context, keys, assignee } = await open();
    await press(keys, 'ِ', 'KeyA', shift);
    await eventually(assignee, (id) => id === muna.user_id);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    // Persian, and then Latin letters with Caps Lock on.
    await press(keys, 'ظ', 'KeyZ');
    await eventually(assignee, (id) => id === undefined || id === null);
    await press(keys, 'A', 'KeyA');
    await page.getByRole('menu', { name: 'Assign' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    // The Arabic layout has the slash on a letter with Shift.
    await press(keys, '/', 'KeyL', shift);
    await press(keys, 'Dead', 'KeyS');
    await page.getByRole('menu', { name: 'Snooze' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.type'), undefined);
    await context.close();
  });

  it('is what its person presses when they choose it', async () => {
    const { page, context, keys } = await open();
    await press(keys, '?', 'Minus', shift);
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByRole('button', { name: /^Change the key of .?Snooze.?$/ }).click();
    await dialog.getByRole('button', { name: /^Press/ }).waitFor();
    await press(keys, 'w', 'KeyZ');
    await dialog.locator('dd', { hasText: /^W/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement?.blur()');
    await press(keys, 'w', 'KeyZ');
    await page.getByRole('menu', { name: 'Snooze' }).waitFor();
    await context.close();
  });
});
