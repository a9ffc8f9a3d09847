import type { LockedConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { listUsers } from '../../users/read-users.ts';
import { noteAdded } from '../events.ts';
import { mailMentionJob } from '../jobs.ts';
import { insertMessages, type NewMessage } from '../queries.ts';
import { findMentions } from './find-mentions.ts';
import { insertMentions } from './mentions.ts';

export interface NewNote {
  body: string;
  /** The author; undefined for a note of the service itself. */
  user_id: string | undefined;
}

/**
 * Adds a note for the team: the conversation keeps its position in the list, its unread count and its window. Each
 * teammate whom the note names is notified once.
 */
export async function addNote(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id: conversation_id, channel_id }: LockedConversation,
  { body, user_id }: NewNote,
): Promise<NewMessage> {
  if (body.trim() === '') throw invalid({ detail: 'is empty', pointer: '/body' });
  const now = clock.now();
  const note: NewMessage = {
    ...{ workspace_id, id: newId(clock), conversation_id, channel_id, direction: 'outbound', kind: 'note', body },
    ...{ actor_kind: user_id ? 'user' : null, actor_id: user_id ?? null, created_at: now },
    ...{ reply_to_id: null, status: null, recipient: null, content: null },
  };
  await insertMessages(tx, [note]);
  await recordEvents(tx, clock, [noteAdded({ workspace_id, conversation_id, id: note.id, body, user_id })]);
  const mentioned = body.includes('@') ? findMentions(body, await listUsers(tx, workspace_id)) : [];
  const mentions = mentioned.map((mentioned_id) => ({ workspace_id, message_id: note.id, user_id: mentioned_id }));
  await insertMentions(tx, mentions, now);
  const jobs = mentions.map((mention) => mailMentionJob(mention, now));
  await enqueueJobs(tx, jobs);
  return note;
}
