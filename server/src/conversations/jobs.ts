import type { NewJob } from '../jobs/job.ts';

/** Ends the snooze of a conversation at its time. Group: the workspace. */
export const wakeConversation = 'conversations.wake_conversation';

export interface ConversationRef {
  workspace_id: string;
  conversation_id: string;
}

export function wakeConversationJob({ workspace_id, conversation_id }: ConversationRef, run_at: Date): NewJob {
  const payload = JSON.stringify({ workspace_id, conversation_id } satisfies ConversationRef);
  return { kind: wakeConversation, group_id: workspace_id, payload, run_at };
}

export function readConversationRef(payload: string): ConversationRef {
  return JSON.parse(payload) as ConversationRef;
}

/** Changes the rest of the conversations of a removed team, stage or member. Group: the workspace. */
export const replaceReferenceKind = 'conversations.replace_reference';

export interface Replacement {
  workspace_id: string;
  of: 'team' | 'stage' | 'user';
  from_id: string;
  to_id: string | null;
  actor: { kind: 'user' | 'api_key'; id: string | null };
}

export function replaceReferenceJob(replacement: Replacement, run_at: Date): NewJob {
  const payload = JSON.stringify(replacement);
  return { kind: replaceReferenceKind, group_id: replacement.workspace_id, payload, run_at };
}

export function readReplacement(payload: string): Replacement {
  return JSON.parse(payload) as Replacement;
}
