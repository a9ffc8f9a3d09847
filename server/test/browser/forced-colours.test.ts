import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

async function open(path: string) {
  const opened = await openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox${path}` });
  await opened.page.emulateMedia({ forcedColors: 'active' });
  return opened;
}

/** Forced colours drop shadows and grounds. A line is left. */
async function isOutlined(one: Locator): Promise<boolean> {
  await one.waitFor();
  const outline = () =>
    one.evaluate((element: AnyJson) => element.ownerDocument.defaultView.getComputedStyle(element).outlineStyle);
  return eventually(outline, (style) => style === 'solid').then(
    () => true,
    () => false,
  );
}

describe('forced colours show by a line', () => {
  it('that the list is filtered', async () => {
    const { page, context } = await open('?tag=vip');
    const filter = page.locator('main button[data-on]');
    assert.ok(await isOutlined(filter));
    await context.close();
  });

  it('which of several buttons is pressed', async () => {
    const { page, context } = await open('');
    await page.getByRole('searchbox').fill('hello');
    assert.ok(await isOutlined(page.locator('main button[aria-pressed=true]')));
    await context.close();
  });

  it('which conversations are selected, and which are not', async () => {
    await receiveMessage(majlis, workspace, newDigits());
    await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open('');
    await page.locator('main li a[data-id]').first().focus();
    await page.keyboard.press('KeyX');
    assert.ok(await isOutlined(page.locator('main li label[data-selected]')));
    assert.equal(await page.locator('main li label[data-selected] svg:visible').count(), 1);
    assert.equal(await page.locator('main li label:not([data-selected]) svg:visible').count(), 0);
    await context.close();
  });

  it('which suggestion is chosen', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    await aisha.at('POST', '/canned-replies', { name: 'greet', body: 'Hello there.' });
    const { page, context } = await open(`/${conversation_id}`);
    await page.locator('textarea:read-write').pressSequentially('/gr');
    assert.ok(await isOutlined(page.locator('[role=option][aria-selected=true]')));
    await context.close();
  });
});
