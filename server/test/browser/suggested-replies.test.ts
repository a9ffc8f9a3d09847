import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

/** A conversation in a workspace with these canned replies. */
async function open(...names: string[]) {
  const workspace = await majlis.workspace();
  const sara = await joinWorkspace(majlis, workspace, { name: 'Sara' });
  const member = await joinWorkspace(majlis, workspace, { name: 'Aisha', role: 'agent' });
  const made = new Map<string, { id: string; version: string }>();
  for (const name of names) {
    const { status, body } = await sara.at('POST', '/canned-replies', { name, body: `This is ${name}.`, shared: true });
    assert.equal(status, 201, JSON.stringify(body));
    made.set(name, body);
  }
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const opened = await openComposer(pages, { url: majlis.url, workspace, member, conversation_id });
  const remove = async (name: string) => {
    const { id, version } = made.get(name)!;
    const query = new URLSearchParams({ version });
    const { status } = await sara.at('DELETE', `/canned-replies/${id}?${query}`);
    assert.equal(status, 204);
  };
  return { ...opened, remove, options: opened.page.getByRole('option') };
}

describe('the list of canned replies', () => {
  it('offers none of an earlier word while the answer to what is typed now is on its way', async () => {
    const { page, reply, options, context } = await open('address', 'bank', 'thanks');
    await reply.focus();
    await page.keyboard.type('/');
    await options.nth(2).waitFor();
    await page.route('**/canned-replies*prefix=*', () => {});
    await page.keyboard.type('th');
    await options.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    assert.equal(await reply.inputValue(), 'This is thanks.');
    await context.close();
  });

  it('has a removed one no more, and the same one stays chosen', async () => {
    const { page, reply, options, remove, context } = await open('address', 'bank', 'thanks');
    await reply.focus();
    await page.keyboard.type('/');
    await options.nth(2).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=option][aria-selected=true]').getByText('/bank').waitFor();
    await remove('address');
    await options.nth(2).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    assert.equal(await reply.inputValue(), 'This is bank.');
    await context.close();
  });
});
