import { transaction } from '../database/transaction.ts';
import type { JobHandler } from '../jobs/job.ts';
import { retry } from '../jobs/queries.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Resources } from '../process/resources.ts';
import { refreshChannel } from './jobs.ts';
import { setNumberState } from './queries.ts';
import { repeatWithPlatform } from './repeat-with-platform.ts';

const refreshEveryMs = 3_600_000;

/** Reads a number's state, quality, verified name and messaging tier from the platform, and stores them. */
export function refreshChannelHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock } = resources;
  return repeatWithPlatform(resources, {
    kind: refreshChannel,
    warning: 'the platform did not say how a number stands',
    async perform(job, { workspace_id, channel_id, phone_number_id, access_token }) {
      // The interval counts from here, so that a move of the test clock during the call takes effect at once.
      const run_at = new Date(clock.nowMs() + refreshEveryMs);
      const number = await platform.getPhoneNumber({ phone_number_id, access_token });
      await transaction(pool, async (tx) => {
        const display_phone = number.display_phone && `+${number.display_phone}`;
        await setNumberState(tx, clock, workspace_id, channel_id, { ...number, display_phone });
        await retry(tx, [{ job, run_at, failed: false }]);
      });
    },
  });
}
