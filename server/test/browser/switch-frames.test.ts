import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
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
  /** Of the last text, from the end of the window. Undefined where it is not in sight. */
  endPx: number | undefined;
}

/** Presses a row, and answers the frames that name its customer until the composer and the buttons of messages are there. */
function pressAndWatch(page: Page, { conversation_id, name, last }: Customer): Promise<Frame[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    function look() {
      if (document.querySelector('main header h2')?.textContent !== '${name}') return requestAnimationFrame(look);
      const hasComposer = document.querySelector('main textarea')?.checkVisibility() ?? false;
      const lines = [...document.querySelectorAll('main [role=feed] [data-message]')];
      const line = lines.find((one) => one.textContent.includes('${last}'));
      if (!line) {
        frames.push({ hasComposer });
        return requestAnimationFrame(look);
      }
      // An observer is told where the line is when the frame is painted: whatever measures and scrolls is over by then.
      const observer = new IntersectionObserver(([{ intersectionRatio, boundingClientRect }]) => {
        observer.disconnect();
        const isInSight = intersectionRatio > 0.99 && line.checkVisibility({ visibilityProperty: true });
        frames.push({ hasComposer, endPx: isInSight ? innerHeight - boundingClientRect.bottom : undefined });
        const isWhole = hasComposer && line.querySelector('button');
        if (isWhole && !document.querySelector('main aside:not(:has(button))')) resolve(frames);
      });
      observer.observe(line);
      requestAnimationFrame(look);
    }
    requestAnimationFrame(look);
    document.querySelector('main a[data-id="${conversation_id}"]').click();
  })`);
}

/** Frames in which the last text is somewhere else than in the first of them. */
function moved(frames: readonly Frame[]): Frame[] {
  return frames.filter(({ endPx }) => endPx === undefined || Math.abs(endPx - frames[0]!.endPx!) > 1);
}

describe('a switch to another conversation', () => {
  for (const locale of languages) {
    it(`shows the texts in memory before everything else, and leaves them where they are (${locale})`, async () => {
      const [first, second] = [await addCustomer('Abla'), await addCustomer('Badr')];
      const { page, context, troubles } = await openFirst(first, second, locale);
      // A slow computer has more frames between the texts and everything else.
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      for (const one of [second, first, second, first]) {
        const frames = await pressAndWatch(page, one);
        assert.equal(frames[0]!.hasComposer, false);
        assert.deepEqual(moved(frames), []);
      }
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('shows the texts of an unknown one as soon as they are read, and leaves them where they are', async () => {
    const [first, second, third] = [await addCustomer('Fadi'), await addCustomer('Ghada'), await addCustomer('Hani')];
    const { page, context, troubles } = await openFirst(first, second);
    const frames = await pressAndWatch(page, third);
    const withTexts = frames.slice(frames.findIndex(({ endPx }) => endPx !== undefined));
    assert.deepEqual([moved(withTexts), troubles], [[], []]);
    await context.close();
  });

  it('is drawn whole for a turn of the wheel, and shows earlier texts', async () => {
    const [first, second] = [await addCustomer('Idris'), await addCustomer('Jamila')];
    const { page, context, troubles } = await openFirst(first, second);
    await rowOf(page, second).click();
    const isDrawnAtOnce = await page.evaluate(`(() => {
      document.querySelector('main a[data-id="${first.conversation_id}"]').click();
      return new Promise((drawn) => queueMicrotask(() => {
        const feed = document.querySelector('main [role=feed]');
        feed.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true }));
        drawn(document.querySelector('main textarea') !== null);
      }));
    })()`);
    assert.equal(isDrawnAtOnce, true);
    await page.locator('[role=feed]').hover();
    await page.mouse.wheel(0, -20_000);
    await page.getByText('Idris 0 ').last().waitFor();
    assert.deepEqual(troubles, []);
    await context.close();
  });

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
