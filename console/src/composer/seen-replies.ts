import type { Message } from '@majlis/contract';
import { request } from '../live/request.ts';

/** The newest reply of a colleague, if the person has not seen it. */
export interface UnseenReply {
  message_id: string;
  user_id: string;
}

/** The newest reply to each open conversation that the person has seen. Ids grow with time. */
const seen = new Map<string, string>();

export function seenReplyOf(conversation_id: string): string | undefined {
  return seen.get(conversation_id);
}

export function markReplySeen(conversation_id: string, message_id: string | undefined): void {
  const known = seen.get(conversation_id) ?? '';
  seen.set(conversation_id, message_id !== undefined && message_id > known ? message_id : known);
}

export function forgetSeenReply(conversation_id: string): void {
  seen.delete(conversation_id);
}

/** Reads whether a colleague has replied since. */
export async function findUnseenReply(
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
  seen_id: string,
  user_id: string,
): Promise<UnseenReply | undefined> {
  const base = `/workspaces/${workspace_id}/conversations/${conversation_id}`;
  const { data } = await request<{ data: Message[] }>('GET', `${base}/messages`);
  const newer = data.filter(
    ({ id, direction, kind, actor_kind, actor_id }) =>
      id > seen_id && direction === 'outbound' && kind !== 'note' && actor_kind === 'user' && actor_id !== user_id,
  );
  const newest = newer.at(-1);
  return newest && { message_id: newest.id, user_id: newest.actor_id! };
}
