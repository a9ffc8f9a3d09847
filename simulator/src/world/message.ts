import type { AsyncError } from '../graph/error-codes.ts';
import type { Script } from '../scripts.ts';
import type { GraphTemplate } from '../templates/graph-template.ts';
import type { Direction } from './wamid.ts';

/** The path of a send. */
export type SendRoute = 'messages' | 'marketing_messages';

/** A JSON object. */
export type Dict = Record<string, unknown>;

export type ChatMessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed' | 'received';

/** A message of a chat in either direction; its content is the wire object. */
export type ChatMessage = {
  id: string;
  direction: Direction;
  phone_number_id: string;
  /** The customer's account id, digits alone. */
  wa_id: string;
  type: string;
  /** The object named by `type`; for `contacts` a list. */
  content: unknown;
  /** Milliseconds. */
  at: number;
  /** The quoted message. */
  context_id?: string;
  status: ChatMessageStatus;
  error?: AsyncError;
  /** The platform's own agent wrote it. */
  by_agent?: boolean;
  /** The body of an outbound message's call, for the ledger. */
  body?: Dict;
  to?: string;
  callback_data?: string;
  api_major?: number;
  template?: GraphTemplate;
  script?: Script;
  /** Sent in the 72 hours after the answer to a customer who came by an advertisement. */
  in_free_time?: boolean;
  /** The path of its call. */
  route?: SendRoute;
  /** The pricing last reported to the business. */
  pricing?: Dict;
  /** A delivery reported the pricing, so later statuses omit it. */
  priced_delivery?: boolean;
  edited?: boolean;
  revoked?: boolean;
  /** The latest emoji of each side on this message. */
  reactions?: { business?: string; customer?: string };
  /** The business marked the inbound message as read. */
  read_by_business?: boolean;
};

export type Chat = {
  phone_number_id: string;
  wa_id: string;
  last_at: number;
  /** The id of the last message. */
  last_id?: string;
  /** The time of the last message that opened the window; absent: none. */
  last_inbound_at?: number;
  marketing?: 'stop' | 'resume';
  /** When the customer came by an advertisement; absent once it was answered. */
  entry_at?: number;
  free_until?: number;
  /** The platform's own agent holds the chat, so the business only listens. */
  held_by_agent?: boolean;
  typing_until?: number;
  /** Theoretical arrival time of the pair rate limit. */
  pair_tat?: number;
  script_uses?: number;
  /** When the charged conversation began, by category. */
  charged?: Record<string, number>;
};

export type Customer = {
  wa_id: string;
  name: string;
  user_id: string;
  username?: string;
  /** The customer hides the number: `from`, `wa_id` and `recipient_id` are absent. */
  number_hidden?: boolean;
};
