import { createThread } from '../../concurrency/thread.ts';
import { Refusal } from '../reply/refusal.ts';
import type { BodyToCheck, CheckedBody } from './check-body.ts';

export interface BodyThread {
  /** Checks a body of the owner outside the event loop. */
  check(owner: string, body: BodyToCheck): Promise<CheckedBody>;
  close(): Promise<void>;
}

/**
 * A thread that checks large bodies: a body of 4 MB occupies a core for up to a second, and the event loop serves all tenants.
 */
export function createBodyThread(): BodyThread {
  const thread = createThread<BodyToCheck, CheckedBody>(new URL('./check-body-thread.ts', import.meta.url));
  return {
    check: (owner, body) => thread.run(owner, body).catch(refuseTooHeavy),
    close: thread.close,
  };
}

/** The bounds on bytes and values keep a body below this. */
export function refuseTooHeavy(error: NodeJS.ErrnoException): never {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Refusal('content_too_large');
  throw error;
}
