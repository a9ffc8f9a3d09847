import type { JsonObject } from './json-object.ts';
import type { CustomerIds, NumberOrigin } from './origin.ts';
import type { MessageKind } from './outbound-message.ts';

// Items of webhooks about messages, in the contract's terms.

export type InboundKind = Exclude<MessageKind, 'template'>;

/** Message content in the contract's kinds. `body`: the text, the caption of media, or a readable substitute. */
export interface InboundContent {
  kind: InboundKind;
  body: string;
  caption?: string;
  mime?: string;
  filename?: string;
  platform_media_id?: string;
  /** Base64 in webhooks; the media resource has the same bytes in hex. */
  sha256?: string;
  /** An empty `emoji` removes the reaction. */
  reaction?: { target_platform_id: string; emoji: string };
  /** Why the platform sent no content, with its code. */
  error?: string;
}

interface MessageCommon extends NumberOrigin, CustomerIds, InboundContent {
  platform_message_id: string;
  /** The platform's timestamp. Windows count from it, not from the arrival of the webhook. */
  at: Date;
  quoted_platform_id?: string;
  /** The type's name at the platform. */
  platform_type: string;
  raw: JsonObject;
}

export interface MessageItem extends MessageCommon {
  type: 'message';
  profile_name?: string;
  opens_window: boolean;
  /** The platform's own agent holds the conversation. */
  is_held?: true;
}

/** A message that the business sent from its phone, or the platform's own agent. `wa_id` and `user_id` are the customer's. */
export interface EchoItem extends MessageCommon {
  type: 'echo';
  /** The platform's own agent sent it. */
  is_held?: true;
}

/** A message of the history that the phone app shares. Nothing follows it. */
export interface ImportedItem extends MessageCommon {
  type: 'imported';
  by: 'customer' | 'business';
  /** Its order among the messages of one second. */
  place: number;
}

/** How far the phone app has shared its history. */
export interface HistoryProgressItem extends NumberOrigin {
  type: 'history_progress';
  phase?: number;
  /** In per cent. */
  progress?: number;
  is_declined?: true;
}

/** The author of a message edited or deleted it. It is no message. */
export interface RevisionItem extends NumberOrigin, CustomerIds {
  type: 'revision';
  by: 'customer' | 'business';
  /** The revised message. */
  platform_message_id: string;
  at: Date;
  /** The platform's own agent holds the conversation. */
  is_held?: true;
  /** The history of the phone app tells it. */
  is_imported?: true;
  /** The new text of an edited message; absent for a deleted one. */
  body?: string;
  raw: JsonObject;
}

export interface StatusItem extends NumberOrigin, CustomerIds {
  type: 'status';
  platform_message_id: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Absent where the timestamp is unreadable. */
  at?: Date;
  callback_data?: string;
  error?: string;
  error_code?: number;
  pricing?: { billable?: boolean; model?: string; type?: string; category?: string };
  /** The platform's conversation, which it may charge once for several messages. */
  conversation_id?: string;
}
