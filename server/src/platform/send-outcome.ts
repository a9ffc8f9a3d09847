/** An error of the platform, from an answer or a webhook. */
export interface PlatformError {
  code: number;
  /** The answer held no readable code: `code` is the HTTP status, and only `title` is set. */
  is_unread?: true;
  subcode?: number;
  title?: string;
  details?: string;
  transient?: boolean;
  trace_id?: string;
}

/** `throughput`: slow the number down; `pair`: slow this number and customer down, and no other; `transient`: retry later. */
export type RetryClass = 'never' | 'transient' | 'throughput' | 'pair';

/** The channel cannot send until someone repairs it. */
export type ChannelFault = 'credentials' | 'restricted' | 'unregistered';

export type SendOutcome =
  /** `held`: accepted, and kept back until the platform has assessed the template's first messages. */
  | { type: 'accepted'; platform_message_id: string; wa_id?: string; user_id?: string; held?: boolean }
  /** Refused before acceptance: a retry cannot duplicate the message. */
  | { type: 'refused'; error: PlatformError; retry: RetryClass; channel_fault?: ChannelFault }
  /** No byte of the request was written. */
  | { type: 'unreachable'; reason: string }
  /** The message may have been accepted: only a status that echoes `callback_data` settles it. */
  | { type: 'unknown'; reason: string };
