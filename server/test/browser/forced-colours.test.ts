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
import { searchOfPalette, untilFocused } from '@majlis/testing/until-focused';
import type { Locator, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

const open = (path: string) => openAt(`/w/${workspace.id}/inbox${path}`);

async function openAt(path: string) {
  const opened = await openSignedIn(pages, { url: majlis.url, member: aisha, path });
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

/** Of each: whether a line that is seen on the ground of the page stands under it. */
async function areUnderlined(tabs: Locator): Promise<boolean[]> {
  await tabs.first().waitFor();
  return tabs.evaluateAll((all: AnyJson[]) =>
    all.map((one) => {
      const { getComputedStyle } = one.ownerDocument.defaultView;
      const ground = getComputedStyle(one.ownerDocument.documentElement).backgroundColor;
      const { borderBlockEndStyle, borderBlockEndColor } = getComputedStyle(one);
      return borderBlockEndStyle === 'solid' && borderBlockEndColor !== ground;
    }),
  );
}

/** Moves the focus as the keyboard does, and tells what cuts the line around it. */
async function cutOf(page: Page, selector: string): Promise<string[]> {
  await page.locator(selector).first().waitFor();
  await page.keyboard.press('Shift');
  await page.locator(selector).first().focus();
  await untilFocused(page, selector);
  return page.evaluate(`(() => {
    const one = document.activeElement;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
    if (outlineStyle !== 'solid') return ['no line'];
    const beyond = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const cuts = [];
    for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflow === 'visible') continue;
      const box = around.getBoundingClientRect();
      const inside = [top - box.top, box.bottom - bottom, left - box.left, box.right - right];
      if (inside.some((px) => px + 0.5 < beyond)) cuts.push(around.className + ' ' + inside);
    }
    return cuts;
  })()`);
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

  it('which one of several tabs or views is chosen, under that one alone', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open(`/${conversation_id}`);
    await page.locator('textarea:read-write').waitFor();
    const views = page.locator('main nav').first().locator('> a, > div > button');
    assert.deepEqual(await areUnderlined(views), [false, false, true, false]);
    assert.deepEqual(await areUnderlined(page.locator('main [role=tab]')), [true, false]);
    await page.goto(`${majlis.url}/profile`);
    assert.deepEqual(await areUnderlined(page.locator('nav ul a[href="/profile"]')), [true]);
    assert.deepEqual(await areUnderlined(page.locator('nav ul a[href="/security"]')), [false]);
    await page.goto(`${majlis.url}/w/${workspace.id}/lists`);
    assert.deepEqual(await areUnderlined(page.locator('main [role=tab]')), [true, false, false, false]);
    await context.close();
  });

  it('whose sign stands there, and how many messages are unread', async () => {
    await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open('');
    const row = page.locator('main li a[data-unread]').first();
    assert.ok(await isOutlined(row.locator('[data-letter]').first()));
    assert.ok(await isOutlined(row.getByText('1', { exact: true }).locator('..')));
    await context.close();
  });

  it('where the focus is, and nothing cuts the line', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open(`/${conversation_id}`);
    await page.locator('textarea:read-write').waitFor();
    for (const selector of ['main li a[data-id]', 'article[data-message]', 'textarea']) {
      assert.deepEqual(await cutOf(page, selector), [], selector);
    }
    await page.keyboard.press('Control+k');
    assert.deepEqual(await cutOf(page, searchOfPalette), []);
    await page.goto(`${majlis.url}/profile`);
    assert.deepEqual(await cutOf(page, 'a[href="/security"]'), []);
    await context.close();
  });

  it('each tool of the composer apart from the others', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open(`/${conversation_id}`);
    await page.locator('textarea:read-write').waitFor();
    const tools = await page.locator('main [role=toolbar] button').evaluateAll((all: AnyJson[]) =>
      all.map((one) => {
        const { left, right, height } = one.getBoundingClientRect();
        const { borderStyle } = one.ownerDocument.defaultView.getComputedStyle(one);
        return { left, right, height, borderStyle };
      }),
    );
    assert.ok(tools.length > 3);
    for (const [n, { left, height, borderStyle }] of tools.entries()) {
      assert.equal(borderStyle, 'solid');
      assert.equal(height, tools[0]!.height);
      assert.ok(n === 0 || left - tools[n - 1]!.right >= 3, JSON.stringify(tools));
    }
    await context.close();
  });
});
