import { PlatformRefusal } from '../refusal.ts';
import { classifyError } from '../send/classify-error.ts';
import type { SendOutcome } from '../types.ts';

/** What an upload that failed means for the send it was for, which was not made; throws what is no word of the platform. */
export function readUploadFailure(failure: unknown): Extract<SendOutcome, { type: 'refused' | 'unreachable' }> {
  if (!(failure instanceof PlatformRefusal)) throw failure;
  const { error } = failure;
  // An upload that was made without our knowing is no message: whatever is unknown of it, it may be made again.
  if (!error) return { type: 'unreachable', reason: failure.message };
  const known = classifyError(error);
  if (known) return { type: 'refused', error, ...known };
  return { type: 'refused', error, retry: error.code === 1 || error.transient ? 'transient' : 'never' };
}
