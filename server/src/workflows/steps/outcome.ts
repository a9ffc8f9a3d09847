import type { Place } from '../definition/definition.ts';
import type { Scope } from '../run/expand.ts';

/** What a step came to. */
export type Outcome =
  /** It is done; the run goes on with the next step, or with the one that it leads to. */
  | { type: 'done'; outcome: string; result?: Scope; to?: Place }
  /** It could not be done, and nothing of it was. */
  | { type: 'failed'; reason: string }
  /** The run waits for an answer to this message, or for the end of this time. */
  | { type: 'asked'; message_id: string; due_at: Date }
  | { type: 'waits'; due_at: Date }
  /** An address is to be called, which no transaction can do. */
  | { type: 'calls' }
  | { type: 'ends'; outcome: string };

export function failed(reason: string): Outcome {
  return { type: 'failed', reason };
}
