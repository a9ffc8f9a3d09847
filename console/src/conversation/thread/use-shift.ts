import { useState } from 'react';
import type { ThreadRow } from './thread-rows.ts';

/** Whether the last change put rows before the first one, so that the distance from the end stays. */
export function useShift(rows: readonly ThreadRow[]): boolean {
  const firstMessage = rows.find(({ type }) => type !== 'day')?.id;
  const last = rows.at(-1)?.id;
  const [before, setBefore] = useState({ firstMessage, last, count: rows.length, isShifted: false });
  if (before.firstMessage === firstMessage && before.last === last && before.count === rows.length) {
    return before.isShifted;
  }
  const isShifted = before.count === 0 || (before.firstMessage !== firstMessage && before.last === last);
  setBefore({ firstMessage, last, count: rows.length, isShifted });
  return isShifted;
}
