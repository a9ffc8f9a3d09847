import type { InboxRow } from '@majlis/console-api';
import { conversations } from '../live/conversations.ts';
import { request } from '../live/request.ts';
import { rows } from './rows.ts';
import type { View } from './views.ts';

const pageLength = 50;

export interface ReadPage {
  ids: string[];
  next_cursor: string | undefined;
  /** The conversations that the person changed meanwhile. */
  changed?: string[];
}

/** Reads a page of the view. Its conversations and rows are in their stores afterwards. */
export async function readPage(workspace_id: string, view: View, cursor?: string): Promise<ReadPage> {
  const since = conversations.moment();
  const query = new URLSearchParams({ view, limit: String(pageLength), ...(cursor && { cursor }) });
  const { data, next_cursor } = await request<{ data: InboxRow[]; next_cursor?: string }>(
    'GET',
    `/workspaces/${workspace_id}/inbox?${query}`,
  );
  const changed = conversations.putRead(
    data.map(({ conversation }) => conversation),
    since,
  );
  rows.put(data.map(({ conversation: { id }, ...row }) => ({ id, ...row })));
  return { ids: data.map(({ conversation }) => conversation.id), next_cursor, changed };
}
