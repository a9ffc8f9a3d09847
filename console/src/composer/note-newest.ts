import { openDraft } from './drafts.ts';
import { markReplySeen, seenReplyOf } from './seen-replies.ts';

/** A person who has written nothing yet sees what arrives. One who writes may have begun before it. */
export function noteNewest(workspace_id: string, conversation_id: string, newest_reply_id: string | undefined): void {
  const { text } = openDraft({ workspace_id, conversation_id, kind: 'reply' }).store.get();
  if (seenReplyOf(conversation_id) === undefined || text === '') markReplySeen(conversation_id, newest_reply_id);
}
