import type { InboxRow } from '@majlis/console-api';
import { request } from '../live/request.ts';
import { beginReading } from './rows.ts';
import { queryOfView, type View } from './views.ts';

const pageLength = 50;

export interface ReadPage {
  ids: string[];
  next_cursor: string | undefined;
  /** The conversations that changed meanwhile. */
  changed?: string[];
}

/** Reads a page of the view. Its conversations and rows are in their stores afterwards. */
export async function readPage(workspace_id: string, view: View, cursor?: string): Promise<ReadPage> {
  const put = beginReading();
  const query = new URLSearchParams({ ...queryOfView(view), limit: String(pageLength), ...(cursor && { cursor }) });
  const { data, next_cursor } = await request<{ data: InboxRow[]; next_cursor?: string }>(
    'GET',
    `/workspaces/${workspace_id}/inbox?${query}`,
  );
  const changed = put(data);
  return { ids: data.map(({ conversation }) => conversation.id), next_cursor, changed };
}
