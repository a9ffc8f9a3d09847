/** What decides how high a row is. */
interface Sized {
  type: string;
  message?: object;
  isFirst?: boolean;
}

/** Around the text of a bubble: less than it is on any screen. */
const leastPx = 36;
const linePx = 20;
/** More than the widest bubble has in a line. */
const charactersOfLine = 100;

/** The last rows, which fill so much height at least. */
export function lastRows<Row extends Sized>(rows: readonly Row[], heightPx: number): readonly Row[] {
  let first = rows.length;
  for (let left = heightPx; left > 0 && first > 0; first--) left -= leastHeightOf(rows[first - 1]!);
  return rows.slice(first);
}

function leastHeightOf(row: Sized): number {
  if (row.type !== 'message') return linePx;
  const { body, caption }: { body?: string; caption?: string } = row.message ?? {};
  const lines = Math.ceil((body ?? caption ?? '').length / charactersOfLine);
  return leastPx + linePx * (Math.max(1, lines) + (row.isFirst ? 1 : 0));
}
