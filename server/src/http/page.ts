import type { Config } from '../process/config.ts';
import type { CursorCodec } from './cursor.ts';
import { invalid } from './reply/refusal.ts';

export interface Page<Item> {
  data: Item[];
  next_cursor?: string;
  has_more: boolean;
}

/** What a page is of: the operation and its filters. A cursor is good for no other. */
export interface Paging {
  workspace_id: string;
  scope: string;
  cursor: string | undefined;
  limit?: number | undefined;
}

/**
 * One page by its cursor: `fetch` gets the position behind which to go on (undefined for the first page) and how many
 * rows to read, one more than the page holds. The position of a row is what the rows are sorted by, as text.
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
