import type { ThreadItem, ThreadMessage } from '@majlis/console-api';

/** A part of a thread without gaps, oldest first. */
export interface ThreadWindow {
  items: readonly ThreadItem[];
  has_earlier: boolean;
  has_later: boolean;
}

/** What the service answers to a reading of a part. */
export interface ThreadPage {
  data: ThreadItem[];
  has_earlier: boolean;
  has_later: boolean;
}

export function toWindow({ data, ...more }: ThreadPage): ThreadWindow {
  return { items: data, ...more };
}

/** Ids of all kinds of items sort by the time they were made, behind the prefix of their kind. */
export function placeOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

function isBefore(a: { id: string }, b: { id: string }): boolean {
  return placeOf(a.id) < placeOf(b.id);
}

/** An unchanged item stays the same object, so that its bubble is not drawn again. */
export function keepUnchanged(known: readonly ThreadItem[], items: readonly ThreadItem[]): ThreadItem[] {
  const byId = new Map(known.map((item) => [item.id, item]));
  return items.map((item) => {
    const before = byId.get(item.id);
    return before && JSON.stringify(before) === JSON.stringify(item) ? before : item;
  });
}

/** The items of both in order, those of `page` in the place of older readings. */
function union(items: readonly ThreadItem[], page: readonly ThreadItem[]): ThreadItem[] {
  const byId = new Map([...items, ...page].map((item) => [item.id, item]));
  return keepUnchanged(
    items,
    [...byId.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1)),
  );
}

export function withEarlier(window: ThreadWindow, page: ThreadPage): ThreadWindow {
  return { ...window, items: union(window.items, page.data), has_earlier: page.has_earlier };
}

export function withLater(window: ThreadWindow, page: ThreadPage): ThreadWindow {
  return { ...window, items: union(window.items, page.data), has_later: page.has_later };
}

/**
 * Puts a new reading of the window's end in the place of the old one: what it lacks is gone. Undefined where it does not reach
 * back to what is known.
 */
export function withEnd(window: ThreadWindow, page: ThreadPage): ThreadWindow | undefined {
  const [first] = page.data;
  const known = new Set(window.items.map(({ id }) => id));
  const isWhole = !page.has_earlier;
  if (!isWhole && !page.data.some(({ id }) => known.has(id))) return undefined;
  const before = first && !isWhole ? window.items.filter((item) => isBefore(item, first)) : [];
  return {
    items: [...before, ...keepUnchanged(window.items, page.data)],
    has_earlier: before.length > 0 ? window.has_earlier : page.has_earlier,
    has_later: page.has_later,
  };
}

/** Takes over messages that were read by their ids. Those that were asked for and are not there are gone. */
export function withMessages(
  window: ThreadWindow,
  asked: readonly string[],
  messages: readonly ThreadMessage[],
): ThreadWindow {
  const there = new Set(messages.map(({ id }) => id));
  const items = window.items.filter(({ id }) => there.has(id) || !asked.includes(id));
  const [first] = items;
  const last = items.at(-1);
  const known = new Set(items.map(({ id }) => id));
  const fitting = messages.filter((message) => {
    if (known.has(message.id)) return true;
    const isInFront = first !== undefined && isBefore(message, first) && window.has_earlier;
    const isBehind = window.has_later && (last === undefined || isBefore(last, message));
    return !isInFront && !isBehind;
  });
  return { ...window, items: union(items, fitting) };
}

/** Whether the live change of this message concerns the window. */
export function isNear(window: ThreadWindow, id: string): boolean {
  const last = window.items.at(-1);
  return !window.has_later || last === undefined || placeOf(id) <= placeOf(last.id);
}

/** Whether the end of a call, whose line lies before the newest items, was not reported yet. */
export function awaitsReport({ items, has_later }: ThreadWindow, newest: number): boolean {
  const earlier = has_later ? items : items.slice(0, -newest);
  return earlier.some((item) => {
    if (item.type !== 'change' || !item.call) return false;
    return item.call.ends_by !== undefined || item.call.outcome === 'unreported';
  });
}

/** The newest part alone, as what a thread keeps while nobody sees it. */
export function newestPart(window: ThreadWindow, most: number): ThreadWindow {
  if (window.items.length <= most) return window;
  return { ...window, items: window.items.slice(-most), has_earlier: true };
}
