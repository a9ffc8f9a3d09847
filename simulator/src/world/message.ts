import type { AsyncError } from '../graph/error-codes.ts';
import type { Script } from '../scripts.ts';
import type { GraphTemplate } from '../templates/graph-template.ts';
import type { Direction } from './wamid.ts';

export type Dict = Record<string, unknown>;

export type ChatMessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed' | 'received';

/** One message of a chat, in either direction, with the wire's own object as its content. */
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
  /** The message this one quotes. */
  context_id?: string;
  status: ChatMessageStatus;
  error?: AsyncError;
  /** Outbound only: the accepted call, for the ledger. */
  body?: Dict;
  to?: string;
  callback_data?: string;
  api_major?: number;
  template?: GraphTemplate;
  script?: Script;
  /** What the business was last told of its price. */
  pricing?: Dict;
  /** That was told with a delivery: no later status says it again. */
  priced_delivery?: boolean;
  edited?: boolean;
  revoked?: boolean;
  /** The latest emoji of each side on this message. */
  reactions?: { business?: string; customer?: string };
  /** Inbound only: the business marked it read. */
  read_by_business?: boolean;
};

export type Chat = {
  phone_number_id: string;
  wa_id: string;
  last_at: number;
  /** The id of the last message. */
  last_id?: string;
  /** When the customer last wrote what opens the window; absent: never. */
  last_inbound_at?: number;
  marketing?: 'stop' | 'resume';
  typing_until?: number;
  /** Theoretical arrival time of the pair rate limit. */
  pair_tat?: number;
  script_uses?: number;
  /** When the conversation that is charged began, by category. */
  charged?: Record<string, number>;
};

export type Customer = {
  wa_id: string;
  name: string;
  user_id: string;
  username?: string;
  /** The user hides the number: `from`, `wa_id` and `recipient_id` are left out. */
  number_hidden?: boolean;
};
