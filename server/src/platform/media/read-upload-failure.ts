import { PlatformRefusal } from '../refusal.ts';
import { classifyError } from '../send/classify-error.ts';
import type { SendOutcome } from '../send-outcome.ts';

/** Turns a failed upload into the outcome of its send, which was not made. Rethrows errors of other origin. */
export function readUploadFailure(failure: unknown): Extract<SendOutcome, { type: 'refused' | 'unreachable' }> {
  if (!(failure instanceof PlatformRefusal)) throw failure;
  const { error } = failure;
  // An upload is no message: it may be repeated, whatever its outcome.
  if (!error) return { type: 'unreachable', reason: failure.message };
  const known = classifyError(error);
  if (known) return { type: 'refused', error, ...known };
  return { type: 'refused', error, retry: error.code === 1 || error.transient ? 'transient' : 'never' };
}
