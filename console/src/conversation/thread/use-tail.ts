import { useState } from 'react';
import { startOfLast } from './last-rows.ts';
import type { ThreadRow } from './thread-rows.ts';

/** So many plain lines at the most, as after many messages that came while the thread was open. */
const mostPlain = 60;

/** The header and the composer take more than this of the height of the window. */
const aroundPx = 200;

interface Options {
  rows: readonly ThreadRow[];
  hasEarlier: boolean;
  isAtBottom: boolean;
}

/**
 * The index of the first of the last rows, which are plain lines. A virtual list hides a line until it is measured, so a thread
 * that is drawn by one is blank for a moment. Plain lines fill the screen in their first frame. A thread that is opened elsewhere
 * than at its end has none.
 */
export function useTail({ rows, hasEarlier, isAtBottom }: Options): number {
  const [firstId, setFirstId] = useState(() => (isAtBottom ? idOfFirst(rows, hasEarlier) : undefined));
  if (firstId === undefined) return rows.length;
  const first = rows.findIndex(({ id }) => id === firstId);
  if (first >= 0 && !(isAtBottom && rows.length - first > mostPlain)) return first;
  const next = idOfFirst(rows, hasEarlier);
  if (next !== firstId) setFirstId(next);
  const start = rows.findIndex(({ id }) => id === next);
  return start < 0 ? rows.length : start;
}

/** Of a message, unless all is loaded: lines between messages may change their places. */
function idOfFirst(rows: readonly ThreadRow[], hasEarlier: boolean): string | undefined {
  const start = startOfLast(rows, innerHeight - aroundPx);
  if (start === 0 && !hasEarlier) return rows[0]?.id;
  const isMessage = ({ type }: ThreadRow) => type === 'message';
  return (rows.slice(0, start + 1).findLast(isMessage) ?? rows.find(isMessage))?.id;
}
