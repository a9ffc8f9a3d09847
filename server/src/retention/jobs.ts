import type { NewJob } from '../jobs/job.ts';

/** Enqueues the deletion for each workspace that has a retention, every hour. */
export const applyRetention = 'retention.apply_retention';

/** Deletes the expired conversations of a workspace, a batch at a time. Group: the workspace. */
export const deleteConversations = 'retention.delete_conversations';

/** The last conversation that a batch came to. */
export interface RetentionPosition {
  last_message_at: Date;
  id: string;
}

/** A job of this time is due at any position of the test clock. */
export const always = new Date(0);

export function deleteConversationsJob(workspace_id: string): NewJob {
  return { kind: deleteConversations, group_id: workspace_id, payload: '', run_at: always };
}

export function writePosition({ last_message_at, id }: RetentionPosition): string {
  return JSON.stringify({ last_message_at, id });
}

/** Undefined for the first batch. */
export function readPosition(payload: string): RetentionPosition | undefined {
  if (payload === '') return undefined;
  const { last_message_at, id } = JSON.parse(payload) as { last_message_at: string; id: string };
  return { last_message_at: new Date(last_message_at), id };
}
