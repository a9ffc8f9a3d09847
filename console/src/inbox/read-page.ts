import type { InboxRow } from '@majlis/console-api';
import { request } from '../live/request.ts';
import { beginReading } from './rows.ts';
import { queryOfView, type View } from './views.ts';

export const pageLength = 50;

export interface ReadPage {
  ids: string[];
  next_cursor: string | undefined;
  /** The conversations that changed meanwhile. */
  changed?: string[];
}

export interface AskedPage {
  cursor?: string | undefined;
  /** Rows of these conversations alone: the others are in their stores as they are. */
  rows_of?: ReadonlySet<string>;
}

/** Reads a page of the view. Its conversations and rows are in their stores afterwards. */
export async function readPage(
  workspace_id: string,
  view: View,
  { cursor, rows_of }: AskedPage = {},
): Promise<ReadPage> {
  const put = beginReading();
  const query = new URLSearchParams({
    ...queryOfView(view),
    limit: String(pageLength),
    ...(cursor && { cursor }),
    ...(rows_of && { rows_of: [...rows_of].join() }),
  });
  const page = await request<{ data: InboxRow[]; ids?: string[]; next_cursor?: string }>(
    'GET',
    `/workspaces/${workspace_id}/inbox?${query}`,
  );
  const changed = put(page.data);
  const ids = page.ids ?? page.data.map(({ conversation }) => conversation.id);
  return { ids, next_cursor: page.next_cursor, changed };
}
