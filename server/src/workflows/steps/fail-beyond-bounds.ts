import type { TSchema } from 'typebox';
import { findBoundFault } from '../../http/body/check-bounds.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

/** A step may write what a request may: fails one whose value exceeds the bounds of this schema of the contract. */
export function failBeyondBounds({ limits }: LockedRun, schema: TSchema, value: unknown): StepOutcome | undefined {
  const fault = findBoundFault(schema, value, limits.bounds);
  return fault && stepFailed(`${fault.pointer.slice(1)} ${fault.detail}.`);
}
