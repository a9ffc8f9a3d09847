import { describeError } from './describe-error.ts';
import type { PlatformError } from './types.ts';

/** A management call that the platform refused, or that did not reach it (then without `error`). Carries no secret. */
export class PlatformRefusal extends Error {
  override name = 'PlatformRefusal';
  readonly error: PlatformError | undefined;

  constructor(reason: string, error?: PlatformError) {
    super(error ? `${reason}: ${describeError(error)}` : reason);
    this.error = error;
  }
}
