import type { NewJob } from '../jobs/job.ts';
import type { Mention } from './notes/mentions.ts';

/** Sends one message to the platform. Group: its channel; queue key: its conversation, so that messages keep their order. */
export const deliverMessage = 'messages.deliver_message';

/** The same for one message of many, such as a broadcast's: what people write does not stand in line behind it. */
export const deliverBulk = 'messages.deliver_bulk';

/** All jobs that call the platform to send. */
export const dispatchKinds = [deliverMessage, deliverBulk] as const;

/** Ends the wait for a message whose outcome stayed unknown. */
export const expireUnknownOutcome = 'messages.expire_unknown_outcome';

/** Fetches the file of a message that came in. Group: its channel. */
export const fetchMedia = 'messages.fetch_media';

export interface MessageRef {
  workspace_id: string;
  message_id: string;
  /** Of a message that is or has a file: it is given to the platform before the message is. */
  media_id?: string;
}

interface Deliver {
  workspace_id: string;
  message_id: string;
  media_id?: string | null | undefined;
  channel_id: string;
  conversation_id: string;
  run_at: Date;
  bulk?: boolean;
}

export function deliverMessageJob(message: Deliver): NewJob {
  const { workspace_id, message_id, media_id, channel_id, conversation_id, run_at, bulk = false } = message;
  return {
    kind: bulk ? deliverBulk : deliverMessage,
    group_id: channel_id,
    queue_key: conversation_id,
    payload: JSON.stringify({ workspace_id, message_id, ...(media_id && { media_id }) } satisfies MessageRef),
    run_at,
  };
}

export function fetchMediaJob({ workspace_id, message_id }: MessageRef, channel_id: string, run_at: Date): NewJob {
  return { kind: fetchMedia, group_id: channel_id, payload: JSON.stringify({ workspace_id, message_id }), run_at };
}

export function expireUnknownOutcomeJob(ref: MessageRef, channel_id: string, run_at: Date): NewJob {
  return { kind: expireUnknownOutcome, group_id: channel_id, payload: JSON.stringify(ref), run_at };
}

export function readMessageRef(payload: string): MessageRef {
  return JSON.parse(payload) as MessageRef;
}

/** Tells a teammate by e-mail that a note names them. Group: the workspace. */
export const mailMention = 'messages.mail_mention';

export function mailMentionJob(mention: Mention, run_at: Date): NewJob {
  return { kind: mailMention, group_id: mention.workspace_id, payload: JSON.stringify(mention), run_at };
}

export function readMention(payload: string): Mention {
  return JSON.parse(payload) as Mention;
}
