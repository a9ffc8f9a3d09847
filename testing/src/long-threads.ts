import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import { newDigits } from './messages.ts';
import type { Member } from './people.ts';
import type { messageReceiver } from './receive-message.ts';

interface Frames {
  requestAnimationFrame(act: (at: unknown) => void): void;
}

/** Makes conversations of so many texts; `ids` are those of the messages, oldest first. */
export const createLongThread =
  (receive: ReturnType<typeof messageReceiver>, member: Member) => async (count: number) => {
    const digits = newDigits();
    const { id, conversation_id } = await receive(digits, 'text', 'The first line');
    const path = `/conversations/${conversation_id}`;
    const send = (body: string, more: object = {}) =>
      member.at('POST', `${path}/messages`, { kind: 'text', body, ...more });
    const sendMany = async (many: number) =>
      (await Promise.all(Array.from({ length: many }, (_, n) => send(`Line ${n}`)))).map(
        ({ body }) => body.id as string,
      );
    const ids = [id as string, ...(await sendMany(count - 1)).sort()];
    return { digits, conversation_id: conversation_id as string, ids, send, sendMany };
  };

/** So many pixels of the thread are below the view. */
export const leftBelow = (page: Page) =>
  page.locator('[role=feed]').evaluate((feed) => feed.scrollHeight - feed.clientHeight - feed.scrollTop);

/** The thread stands at its newest message. Before that, a turn of the wheel may find nothing above it. */
export const atEnd = (page: Page) =>
  eventually(
    () => leftBelow(page),
    (left) => left <= 1,
  );

/** Waits until nothing in the thread moves: its end is at the same place in twenty frames that the page draws. */
export async function untilStill(page: Page): Promise<void> {
  const move = () =>
    page.locator('[role=feed]').evaluate(async (feed) => {
      const left = () => feed.scrollHeight - feed.clientHeight - feed.scrollTop;
      const before = left();
      let moved = 0;
      for (let frame = 0; frame < 20; frame++) {
        await new Promise((drawn) => (globalThis as unknown as Frames).requestAnimationFrame(drawn));
        moved = Math.max(moved, Math.abs(left() - before));
      }
      return moved;
    });
  await eventually(move, (moved) => moved < 1);
}

/**
 * Scrolls through a thread from where it stands to its end, by less than a view at a time, and answers the ids of the messages
 * drawn on the way. Its earlier parts must be loaded: one that comes meanwhile could be passed by.
 */
export async function readDown(page: Page): Promise<Set<string>> {
  const seen = new Set<string>();
  const readOn = () =>
    page.locator('[role=feed]').evaluate(async (feed) => {
      const drawn = [...feed.querySelectorAll('article')].map((one) => one.getAttribute('data-id')!);
      const isEnd = feed.scrollHeight - feed.clientHeight - feed.scrollTop <= 1;
      feed.scrollTop += 200;
      for (let frame = 0; frame < 2; frame++) {
        await new Promise((done) => (globalThis as unknown as Frames).requestAnimationFrame(done));
      }
      return { drawn, isEnd };
    });
  await eventually(readOn, ({ drawn, isEnd }) => {
    for (const id of drawn) seen.add(id);
    return isEnd;
  });
  return seen;
}
