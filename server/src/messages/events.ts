import type { MessageReceived, MessageStatusUpdated } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { NewEvent } from '../events/record-events.ts';
import type { MessageState } from './rules.ts';

/** The fields of a message in its events. */
export interface EventSubject {
  workspace_id: string;
  id: string;
  conversation_id: string;
  direction: string;
  kind: string;
  body: string | null;
}

/** The event has the time of the message, also when it waited for the file: receivers order events by their times. */
export function messageReceived(message: EventSubject & { created_at: Date }): NewEvent {
  const data: MessageReceived = { message: subject(message), conversation: conversation(message) };
  const { workspace_id, conversation_id, created_at } = message;
  return { workspace_id, type: 'message.received', data, conversation_id, at: created_at };
}

export function messageStatusUpdated(message: EventSubject & MessageState): NewEvent {
  const { workspace_id, conversation_id, status } = message;
  const data: MessageStatusUpdated = { message: { ...subject(message), status }, conversation: conversation(message) };
  return { workspace_id, type: 'message.status_updated', data, conversation_id, place_ms: placeOf(message) };
}

// The order of the statuses. The distances are larger than the clock difference of two processes, so the events of a
// message stay in order, whichever process records them.
const places_ms = { queued: 0, sent: 5, failed: 10, delivered: 15, read: 20 };

/** A failure for an unknown outcome comes first, because every status of the platform may follow it. */
function placeOf({ status, outcome_unknown }: MessageState): number {
  return status === 'failed' && outcome_unknown ? 0 : places_ms[status];
}

export function noteAdded(
  note: Record<'workspace_id' | 'conversation_id' | 'id' | 'body', string> & { user_id?: string | undefined },
): NewEvent {
  const { workspace_id, conversation_id, id, body, user_id } = note;
  const message = { id: publicId('message', id), body, ...(user_id && { actor_id: publicId('user', user_id) }) };
  return { workspace_id, type: 'note.added', data: { message, conversation: conversation(note) }, conversation_id };
}

/** The file of a contact's message can be downloaded. */
export function mediaReady(
  { workspace_id, conversation_id, id }: Pick<EventSubject, 'workspace_id' | 'conversation_id' | 'id'>,
  file: { id: string; mime: string; size_bytes: number },
): NewEvent {
  const media = { id: publicId('media', file.id), mime: file.mime, size_bytes: file.size_bytes };
  const message = { id: publicId('message', id) };
  const data = { media, message, conversation: conversation({ conversation_id }) };
  return { workspace_id, type: 'media.ready', data, conversation_id };
}

function subject({ id, direction, kind, body }: EventSubject): MessageReceived['message'] {
  return {
    id: publicId('message', id),
    direction,
    kind: kind as MessageReceived['message']['kind'],
    ...(body !== null && { body }),
  };
}

function conversation({ conversation_id }: Pick<EventSubject, 'conversation_id'>): { id: string } {
  return { id: publicId('conversation', conversation_id) };
}
