export interface Email {
  to: string;
  subject: string;
  text: string;
  /** What this e-mail is about, the same at every try: it makes the Message-ID. */
  key: string;
}

/**
 * What became of an e-mail. `lost`: whoever held the work holds it no more, and nothing was sent. `unknown`: the
 * connection broke when the server had the text, so it may arrive. `refused`: the server will never take it.
 */
export type EmailOutcome =
  | { type: 'sent' }
  | { type: 'lost' }
  | { type: 'refused' | 'try_again' | 'unknown'; reason: string };
