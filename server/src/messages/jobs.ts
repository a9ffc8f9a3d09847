import type { NewJob } from '../jobs/job.ts';
import type { Mention } from './notes/mentions.ts';
import type { NewMessage } from './queries.ts';

/** Sends one message to the platform. Group: its channel; queue key: its conversation, so that messages keep their order. */
export const deliverMessage = 'messages.deliver_message';

/** The same for a message of a broadcast, so that messages of people do not wait behind it. */
export const deliverBulk = 'messages.deliver_bulk';

/** All jobs that call the platform to send. */
export const dispatchKinds = [deliverMessage, deliverBulk] as const;

/** Ends the wait for a message whose outcome stayed unknown. */
export const expireUnknownOutcome = 'messages.expire_unknown_outcome';

/**
 * Answers a customer who wrote outside the business hours. Group: the workspace; queue key: the conversation, so that of two
 * messages the second finds the answer to the first.
 */
export const answerAway = 'messages.answer_away';

/** Links a message to the one that it quotes, or reacts to, and that was unknown when it came. Group: its channel. */
export const linkQuote = 'messages.link_quote';

/**
 * A report may come before its message is stored: these are the delays of the tries. After a quarter of an hour the message belongs to
 * another app on the same number, or to the time before the channel was connected.
 */
export const retryDelaysSeconds = [1, 2, 5, 15, 60, 300, 600];

/** Fetches the file of a message that came in. Group: its channel. */
export const fetchMedia = 'messages.fetch_media';

/** Makes new messages searchable, every 10 seconds. */
export const indexMessages = 'messages.index_messages';

/** Deletes the rest of a long history that nobody sees any more. Group: the workspace; queue key: the conversation. */
export const eraseHistory = 'messages.erase_history';

export interface MessageRef {
  workspace_id: string;
  message_id: string;
  /** The file of the message, which is uploaded to the platform before the send. */
  media_id?: string;
  /** The platform had lost its copy of the file, so the file was uploaded again for this message. */
  is_uploaded_again?: true;
  refusals?: Refusals;
}

/** The refusals of one message so far that decide about its next try. */
export interface Refusals {
  /** With a code that may be the fault of the message. */
  doubtful: number;
  /** Because the customer got too many messages. */
  pair_limit: number;
}

export function deliverMessageJob(message: NewMessage): NewJob {
  const { workspace_id, id, media_id, channel_id, conversation_id, broadcast_id, created_at } = message;
  return {
    kind: broadcast_id ? deliverBulk : deliverMessage,
    group_id: channel_id,
    queue_key: conversation_id,
    payload: JSON.stringify({ workspace_id, message_id: id, ...(media_id && { media_id }) } satisfies MessageRef),
    run_at: created_at,
  };
}

export interface AwayRef extends MessageRef {
  conversation_id: string;
}

export function answerAwayJob({ workspace_id, id, conversation_id, created_at }: NewMessage): NewJob {
  const payload = JSON.stringify({ workspace_id, message_id: id, conversation_id } satisfies AwayRef);
  return { kind: answerAway, group_id: workspace_id, queue_key: conversation_id, payload, run_at: created_at };
}

export function readAwayRef(payload: string): AwayRef {
  return JSON.parse(payload) as AwayRef;
}

export interface LinkRef extends MessageRef {
  /** How often the quoted message was looked for. */
  tries: number;
}

export function linkQuoteJob({ workspace_id, id, channel_id, created_at }: NewMessage): NewJob {
  const payload = JSON.stringify({ workspace_id, message_id: id, tries: 0 } satisfies LinkRef);
  const run_at = new Date(created_at.getTime() + retryDelaysSeconds[0]! * 1000);
  return { kind: linkQuote, group_id: channel_id, payload, run_at };
}

export function readLinkRef(payload: string): LinkRef {
  return JSON.parse(payload) as LinkRef;
}

export interface FetchRef extends MessageRef {
  /** How often the platform did not know the file. */
  unknown_tries?: number;
}

export function fetchMediaJob({ workspace_id, message_id }: MessageRef, channel_id: string, run_at: Date): NewJob {
  return { kind: fetchMedia, group_id: channel_id, payload: JSON.stringify({ workspace_id, message_id }), run_at };
}

export function expireUnknownOutcomeJob(ref: MessageRef, channel_id: string, run_at: Date): NewJob {
  return { kind: expireUnknownOutcome, group_id: channel_id, payload: JSON.stringify(ref), run_at };
}

export function readFetchRef(payload: string): FetchRef {
  return JSON.parse(payload) as FetchRef;
}

export function readMessageRef(payload: string): MessageRef {
  return JSON.parse(payload) as MessageRef;
}

/** Notifies a teammate by e-mail that a note names them. Group: the workspace. */
export const mailMention = 'messages.mail_mention';

export function mailMentionJob(mention: Mention, run_at: Date): NewJob {
  return { kind: mailMention, group_id: mention.workspace_id, payload: JSON.stringify(mention), run_at };
}

export function readMention(payload: string): Mention {
  return JSON.parse(payload) as Mention;
}

/** Sends a scheduled message at its time. Group: the workspace. */
export const sendScheduled = 'messages.send_scheduled';

/** Deletes scheduled messages that were sent or cancelled a week ago, and failed ones of 90 days ago, every hour. */
export const forgetScheduled = 'messages.forget_scheduled';

/** Deletes the digests of calls of contacts that were erased long ago, every hour. */
export const forgetErasedCalls = 'messages.forget_erased_calls';

export interface ScheduledRef {
  workspace_id: string;
  id: string;
}

export function sendScheduledJob({ workspace_id, id }: ScheduledRef, run_at: Date): NewJob {
  const payload = JSON.stringify({ workspace_id, id } satisfies ScheduledRef);
  return { kind: sendScheduled, group_id: workspace_id, payload, run_at };
}

export function readScheduledRef(payload: string): ScheduledRef {
  return JSON.parse(payload) as ScheduledRef;
}

/** Why a history is deleted: its contact was erased, or the conversation expired. */
export type HistoryEnd = 'erased' | 'expired';

interface ErasedHistory {
  workspace_id: string;
  conversation_id: string;
  /** Absent: erased. */
  reason?: HistoryEnd;
}

// A job of this time is due at any position of the test clock.
const always = new Date(0);

export function eraseHistoryJob(workspace_id: string, conversation_id: string, reason?: HistoryEnd): NewJob {
  const payload = JSON.stringify({ workspace_id, conversation_id, ...(reason && { reason }) } satisfies ErasedHistory);
  return { kind: eraseHistory, group_id: workspace_id, queue_key: conversation_id, payload, run_at: always };
}

export function readErasedHistory(payload: string): ErasedHistory {
  return JSON.parse(payload) as ErasedHistory;
}
