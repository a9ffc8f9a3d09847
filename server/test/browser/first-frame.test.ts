import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim', role: 'agent' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

interface Customer {
  name: string;
  conversation_id: string;
  last: string;
}

/** A customer whose texts fill more than a screen. */
async function addCustomer(name: string): Promise<Customer> {
  const digits = newDigits();
  const text = (n: number) => `${name} ${n} ${'asks how long it takes. '.repeat(1 + (n % 5) * 6)}`;
  const { conversation_id, actor_id } = await receive(digits, 'text', text(0));
  for (let n = 1; n <= 16; n++) await receive(digits, 'text', text(n));
  await member.at('PATCH', `/contacts/${actor_id}`, { name });
  return { name, conversation_id, last: `${name} 16 ` };
}

/** The page shows the first of them, and has the threads of both in memory. */
async function openFirst(first: Customer, second: Customer, locale: 'en' | 'ar' = 'en') {
  const opened = await openComposer(
    pages,
    { url: majlis.url, workspace, member, conversation_id: second.conversation_id },
    { locale },
  );
  await rowOf(opened.page, first).click();
  await opened.page.locator('section[data-mode] textarea:read-write').waitFor();
  await opened.page.getByText(first.last).last().waitFor();
  return opened;
}

const rowOf = (page: Page, { conversation_id }: Customer) => page.locator(`main a[data-id="${conversation_id}"]`);

interface Frame {
  hasComposer: boolean;
  /** Of the last text, from the end of the thread. Undefined where it is not in view. */
  endPx: number | undefined;
}

/** Presses a row, and answers the frames that name its customer until the composer and the buttons of messages are there. */
function pressAndWatch(page: Page, { conversation_id, name, last }: Customer): Promise<Frame[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    const channel = new MessageChannel();
    let frame = requestAnimationFrame(look);
    function look() {
      channel.port2.postMessage(0);
      frame = requestAnimationFrame(look);
    }
    // The message arrives behind each frame, so what it has drawn is looked at.
    channel.port1.onmessage = () => {
      if (document.querySelector('main header h2')?.textContent !== '${name}') return;
      const feed = document.querySelector('main [role=feed]');
      const lines = [...(feed?.querySelectorAll('[data-message]') ?? [])];
      const line = lines.find((one) => one.textContent.includes('${last}'));
      const box = line?.checkVisibility({ visibilityProperty: true }) ? line.getBoundingClientRect() : undefined;
      const hasComposer = document.querySelector('main textarea')?.checkVisibility() ?? false;
      frames.push({ hasComposer, endPx: box && feed.getBoundingClientRect().bottom - box.bottom });
      if (!hasComposer || !line?.querySelector('button')) return;
      cancelAnimationFrame(frame);
      resolve(frames);
    };
    document.querySelector('main a[data-id="${conversation_id}"]').click();
  })`);
}

describe('a switch to a conversation in memory', () => {
  for (const locale of ['en', 'ar'] as const) {
    it(`shows its texts before everything else, and leaves them where they are (${locale})`, async () => {
      const [first, second] = [await addCustomer('Abla'), await addCustomer('Badr')];
      const { page, context, troubles } = await openFirst(first, second, locale);
      const frames = await pressAndWatch(page, second);
      assert.equal(frames[0]!.hasComposer, false);
      const moved = frames.filter(({ endPx }) => endPx === undefined || Math.abs(endPx - frames[0]!.endPx!) > 2);
      assert.deepEqual([moved, troubles], [[], []]);
      await context.close();
    });
  }

  it('is drawn whole for a key that comes before its first frame, so that the letters reach its own draft', async () => {
    const [first, second] = [await addCustomer('Dalia'), await addCustomer('Emad')];
    const { page, context, troubles } = await openFirst(first, second);
    const focused = await page.evaluate<string>(`(async () => {
      document.querySelector('main a[data-id="${second.conversation_id}"]').click();
      const isNamed = () => document.querySelector('main header h2')?.textContent === '${second.name}';
      // No frame comes between two microtasks.
      for (let n = 0; n < 50 && !isNamed(); n++) await null;
      const key = { key: 'r', code: 'KeyR', bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', key));
      return document.activeElement.placeholder;
    })()`);
    assert.match(focused, /Emad/);
    await page.keyboard.type('At five');
    await eventually(
      () => draftsOf(member, second.conversation_id),
      (drafts) => drafts.includes('reply: At five'),
    );
    assert.deepEqual([await draftsOf(member, first.conversation_id), troubles], [[], []]);
    await context.close();
  });
});
