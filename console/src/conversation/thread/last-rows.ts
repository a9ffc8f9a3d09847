/** What the height of a line depends on, most of all. */
interface Line {
  type: string;
  isFirst?: boolean;
  message?: { id: string; body?: string | undefined; caption?: string | undefined };
}

/** Around the text of a bubble: less than it is on any screen. */
const leastPx = 36;
const linePx = 20;
/** More than the widest bubble has in a line. */
const charactersOfLine = 100;

/** The index of the row from which on the last ones fill so much height at least. */
export function startOfLast(rows: readonly Line[], heightPx: number): number {
  let first = rows.length;
  for (let left = heightPx; left > 0 && first > 0; first--) left -= leastHeightOf(rows[first - 1]!);
  return first;
}

function leastHeightOf({ type, message, isFirst }: Line): number {
  if (type !== 'message') return linePx;
  const lines = Math.ceil((message?.body ?? message?.caption ?? '').length / charactersOfLine);
  return leastPx + linePx * (Math.max(1, lines) + (isFirst ? 1 : 0));
}
