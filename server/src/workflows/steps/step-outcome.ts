import type { Refusal } from '../../http/reply/refusal.ts';
import type { InstructionIndex } from '../definition/definition.ts';
import type { VariableScope } from '../run/expand.ts';
import { describeRefusal } from './describe-refusal.ts';

/** The outcome of a step. */
export type StepOutcome =
  /** The run continues with the next step, or with the step `to`. */
  | { type: 'done'; outcome: string; result?: VariableScope; to?: InstructionIndex }
  /** The step failed without any effect. */
  | StepFailure
  /** The run waits for a reply to this message until `due_at`. */
  | { type: 'asked'; message_id: string; due_at: Date }
  /** The run waits for the decision on this proposal until `due_at`. */
  | { type: 'proposed'; proposal_id: string; due_at: Date }
  /** The run waits until `due_at`. */
  | { type: 'waits'; due_at: Date }
  /** The step calls a URL, outside of the transaction. */
  | { type: 'calls' }
  | { type: 'ends'; outcome: string };

export interface StepFailure {
  type: 'failed';
  reason: string;
  /** The refusal of the message that the step sends. */
  refusal?: Refusal;
}

export function stepFailed(reason: string): StepFailure {
  return { type: 'failed', reason };
}

export function sendRefused(refusal: Refusal): StepFailure {
  return { type: 'failed', reason: describeRefusal(refusal), refusal };
}
