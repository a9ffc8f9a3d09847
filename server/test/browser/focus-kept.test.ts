import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { type OpenedComposer, openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const muna = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const sara = await joinWorkspace(majlis, workspace, { name: 'Sara Nasser' });
const pages = await openPages(majlis);

async function open(): Promise<OpenedComposer & { conversation_id: string }> {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const opened = await openComposer(
    pages,
    { url: majlis.url, workspace, member: muna, conversation_id },
    { viewport: { width: 1440, height: 900 } },
  );
  await opened.page.locator('[role=feed] [data-message]').first().waitFor();
  return { ...opened, conversation_id };
}

const press = async (button: Locator) => {
  await button.focus();
  await button.press('Enter');
  await button.waitFor({ state: 'detached' });
};
const untilFocused = (page: Page, selector: string) =>
  eventually(
    () => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`),
    (isThere) => isThere === true,
  );

describe('the focus, where what has it is taken away,', () => {
  it('goes to the composer behind a notice whose button was pressed', async () => {
    const { page, context, reply, words, conversation_id, troubles } = await open();
    await reply.fill('Mine');
    await sara.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hers' });
    await reply.press('Enter');
    await page.getByText(words.replied('Sara')).waitFor();
    await press(page.getByRole('button', { name: words.send_anyway, exact: true }));
    await untilFocused(page, `[data-composer="${conversation_id}"]`);

    await sara.at('POST', `/conversations/${conversation_id}/close`, {});
    await press(page.locator('section[data-composer]').getByRole('button', { name: words.reopen }));
    await untilFocused(page, `[data-composer="${conversation_id}"]`);
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('goes to the next conversation where a colleague closes one, and from the last to the one before', async () => {
    for (let count = 0; count < 2; count += 1) await receiveMessage(majlis, workspace, newDigits());
    const { page, context } = await open();
    const rows = page.locator('main li a[data-id]');
    const ids = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-id')!));
    const close = async (id: string) => {
      const row = page.locator(`main li a[data-id="${id}"]`);
      await row.focus();
      await sara.at('POST', `/conversations/${id}/close`, {});
      await row.waitFor({ state: 'detached' });
    };
    await close(ids[1]!);
    await untilFocused(page, `a[data-id="${ids[2]}"]`);
    await close(ids.at(-1)!);
    await untilFocused(page, `a[data-id="${ids.at(-2)}"]`);
    await context.close();
  });

  it('stays in the thread or the composer where a message that waits, or a file, is taken back', async () => {
    const { page, context, words, conversation_id } = await open();
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const later = { content: { kind: 'text', body: 'Later on' }, send_at };
    await muna.at('POST', `/conversations/${conversation_id}/scheduled-messages`, later);
    const bubble = page.locator('article', { hasText: 'Later on' });
    await press(bubble.getByRole('button', { name: /^Cancel/ }));
    await untilFocused(page, '[role=feed] *');

    const png = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a', 'hex') };
    await page.locator('section[data-composer] input[type=file]').setInputFiles(png);
    await press(page.locator('section[data-composer]').getByRole('button', { name: words.remove }).first());
    await untilFocused(page, 'section[data-composer], section[data-composer] *');
    await context.close();
  });

  it('stays nowhere for a person who has left it, or has gone on by a key', async () => {
    const { page, context } = await open();
    const row = page.locator('main li a[data-id]').first();
    const id = await row.getAttribute('data-id');
    await row.focus();
    await page.evaluate('document.activeElement.blur()');
    await sara.at('POST', `/conversations/${id}/close`, {});
    await page.locator(`main li a[data-id="${id}"]`).waitFor({ state: 'detached' });
    await page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))',
    );
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
    await context.close();
  });
});
