import type { Config } from '../process/config.ts';
import type { CursorCodec } from './cursor.ts';
import { invalid } from './reply/refusal.ts';

export interface Page<Item> {
  data: Item[];
  next_cursor?: string;
  has_more: boolean;
}

/** The list that a page belongs to: the operation and its filters. A cursor is valid for this list alone. */
export interface Paging {
  workspace_id: string;
  scope: string;
  cursor: string | undefined;
  limit?: number | undefined;
}

export interface PageReader<Row, Item> {
  /** Gets the position to continue after (undefined for the first page) and the number of rows, one more than the page shows. */
  fetch(after: string[] | undefined, count: number): Promise<Row[]>;
  /** The sort key of a row as text. */
  positionOf(row: Row): string[];
  present(row: Row): Item;
}

/** Reads one page by keyset pagination. A page ends at its number of items or of bytes, and has one item at least. */
export async function readPage<Row, Item>(
  {
    cursors,
    config,
  }: { cursors: CursorCodec; config: Pick<Config, 'pageSizeDefault' | 'pageSizeMax' | 'pageBytesMax'> },
  { workspace_id, scope, cursor, limit = config.pageSizeDefault }: Paging,
  { fetch, positionOf, present }: PageReader<Row, Item>,
): Promise<Page<Item>> {
  const after = cursor === undefined ? undefined : cursors.decode(cursor, { workspace_id, scope });
  if (cursor !== undefined && !after) throw invalid({ detail: 'is not a cursor of this list', pointer: '/cursor' });
  const size = Math.min(limit, config.pageSizeMax);
  const rows = await fetch(after, size + 1);
  const items = rows.slice(0, size).map(present);
  const data = items.slice(0, countWithin(items, config.pageBytesMax));
  if (data.length === rows.length) return { data, has_more: false };
  return {
    data,
    next_cursor: cursors.encode({ workspace_id, scope, position: positionOf(rows[data.length - 1]!) }),
    has_more: true,
  };
}

/** How many of the first items fit in so many bytes of JSON, one at least. Most pages are far smaller, so the estimate decides alone. */
export function countWithin(items: readonly unknown[], most_bytes: number): number {
  if (items.reduce((sum: number, item) => sum + estimateBytes(item), 0) <= most_bytes) return items.length;
  let bytes = 0;
  const first_beyond = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > most_bytes;
  });
  return first_beyond < 0 ? items.length : Math.max(first_beyond, Math.min(items.length, 1));
}

/** Never less than the bytes of the JSON: an escaped character takes six. */
function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 2;
  for (const name in value) bytes += 6 * name.length + 4 + estimateBytes(value[name as keyof typeof value]);
  return bytes;
}
