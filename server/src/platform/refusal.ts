import { describePlatformError } from './describe-error.ts';
import { classifyError } from './send/classify-error.ts';
import type { ChannelFault, PlatformError } from './send-outcome.ts';

/** A management call that the platform refused, or that did not reach it (without `error`). Carries no secret. */
export class PlatformRefusal extends Error {
  override name = 'PlatformRefusal';
  readonly error: PlatformError | undefined;
  /** Present where the platform refuses every call of the channel. */
  readonly channel_fault: ChannelFault | undefined;

  /** `status`: the HTTP status of the answer. */
  constructor(reason: string, error?: PlatformError, status?: number) {
    super(error ? `${reason}: ${describePlatformError(error)}` : reason);
    this.error = error;
    this.channel_fault = error ? classifyError(error)?.channel_fault : status === 401 ? 'credentials' : undefined;
  }
}
