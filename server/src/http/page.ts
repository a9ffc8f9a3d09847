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

/**
 * Reads one page by keyset pagination. `fetch` gets the position to continue after (undefined for the first page) and the
 * number of rows, one more than the page shows. The position of a row is its sort key as text.
 */
export async function readPage<Row>(
  { cursors, config }: { cursors: CursorCodec; config: Pick<Config, 'pageSizeDefault' | 'pageSizeMax'> },
  { workspace_id, scope, cursor, limit = config.pageSizeDefault }: Paging,
  fetch: (after: string[] | undefined, count: number) => Promise<Row[]>,
  positionOf: (row: Row) => string[],
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : cursors.decode(cursor, { workspace_id, scope });
  if (cursor !== undefined && !after) throw invalid({ detail: 'is not a cursor of this list', pointer: '/cursor' });
  const size = Math.min(limit, config.pageSizeMax);
  const rows = await fetch(after, size + 1);
  const data = rows.slice(0, size);
  if (rows.length <= size) return { data, has_more: false };
  return {
    data,
    next_cursor: cursors.encode({ workspace_id, scope, position: positionOf(data.at(-1)!) }),
    has_more: true,
  };
}
