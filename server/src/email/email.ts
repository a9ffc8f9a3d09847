export interface Email {
  to: string;
  subject: string;
  text: string;
  /** Identifies the e-mail and is equal in every attempt: the Message-ID is derived from it. */
  key: string;
}

/**
 * The outcome of an e-mail. `lost`: the worker had lost its lease, and nothing was sent. `unknown`: the connection broke
 * after the text was sent, so the e-mail may arrive. `refused`: the server will never take it.
 */
export type EmailOutcome =
  | { type: 'sent' }
  | { type: 'lost' }
  | { type: 'refused' | 'try_again' | 'unknown'; reason: string };
