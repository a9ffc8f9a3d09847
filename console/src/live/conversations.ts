import type { Conversation } from '@majlis/contract';
import { createEntities } from './entities.ts';
import { createFollowed, type Followed } from './followed.ts';
import { request } from './request.ts';

export const conversations = createEntities<Conversation>();

/** The ids of the conversations of each workspace, latest activity first. */
const lists = new Map<string, Followed<readonly string[]>>();

/**
 * The server alone knows the order and the membership of a list: a snoozed conversation, for one, is in none. So a change reads
 * the first page again instead of the changed conversation.
 */
export function conversationList(workspace_id: string): Followed<readonly string[]> {
  const known = lists.get(workspace_id);
  if (known) return known;
  const list = createFollowed(async () => {
    const { data } = await request<{ data: Conversation[] }>('GET', `/workspaces/${workspace_id}/conversations`);
    conversations.put(data);
    return data.map(({ id }) => id);
  });
  lists.set(workspace_id, list);
  return list;
}

export function conversationsChanged(workspace_id?: string): void {
  for (const [id, list] of lists) if (workspace_id === undefined || id === workspace_id) list.invalidate();
}

/** Drops what belongs to no listed workspace. */
export function keepConversationsOf(workspaces: readonly string[]): void {
  for (const id of lists.keys()) if (!workspaces.includes(id)) lists.delete(id);
  if (lists.size === 0) conversations.clear();
}
