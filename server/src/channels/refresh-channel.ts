import { type Transaction, transaction } from '../database/transaction.ts';
import type { JobHandler } from '../jobs/job.ts';
import { retry } from '../jobs/queries.ts';
import type { PlatformClient } from '../platform/client.ts';
import { describePlatformError } from '../platform/describe-error.ts';
import { PlatformRefusal } from '../platform/refusal.ts';
import type { PlatformError } from '../platform/send-outcome.ts';
import type { Resources } from '../process/resources.ts';
import { refreshChannel } from './jobs.ts';
import { setFault, setNumberState } from './queries.ts';
import { type OpenedAccess, repeatWithPlatform } from './repeat-with-platform.ts';

const refreshEveryMs = 3_600_000;

/** Reads a number's state, quality, verified name and messaging tier from the platform, and stores them. */
export function refreshChannelHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock } = resources;
  const setStoredFault = (tx: Transaction, { sealed_token, ...ref }: OpenedAccess, fault: string | null) =>
    setFault(tx, clock, { ...ref, access_token: sealed_token }, fault, null);
  const noteFault = (channel: OpenedAccess, fault: string) =>
    transaction(pool, (tx) => setStoredFault(tx, channel, fault));
  return repeatWithPlatform(resources, {
    kind: refreshChannel,
    warning: 'the platform did not say how a number stands',
    async perform(job, channel) {
      const { workspace_id, channel_id, phone_number_id, access_token } = channel;
      // The interval counts from here, so that a move of the test clock during the call takes effect at once.
      const run_at = new Date(clock.nowMs() + refreshEveryMs);
      const number = await platform.getPhoneNumber({ phone_number_id, access_token }).catch(async (error) => {
        if (isTokenRefused(error) && channel.fault === null && channel.status !== null)
          await noteFault(channel, describePlatformError(error.error));
        throw error;
      });
      await transaction(pool, async (tx) => {
        const display_phone = number.display_phone && `+${number.display_phone}`;
        // A send noted a fault with the time of its next try, and ends it.
        if (channel.fault !== null && channel.fault_until === null) await setStoredFault(tx, channel, null);
        await setNumberState(tx, clock, workspace_id, channel_id, { ...number, display_phone });
        await retry(tx, [{ job, run_at, failed: false }]);
      });
    },
  });
}

/** The codes of a token that expired or was withdrawn. A missing permission to read the number stops no send. */
const tokenCodes = new Set([0, 104, 190]);

function isTokenRefused(error: unknown): error is PlatformRefusal & { error: PlatformError } {
  return error instanceof PlatformRefusal && error.error !== undefined && tokenCodes.has(error.error.code);
}
