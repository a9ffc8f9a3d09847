import { publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { retry } from '../jobs/queries.ts';
import { supersede } from '../jobs/supersede.ts';
import type { PlatformClient } from '../platform/client.ts';
import { PlatformRefusal } from '../platform/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { readChannelRef, refreshChannel } from './jobs.ts';
import { findAccess, setNumberState } from './queries.ts';

const refreshEveryMs = 3_600_000;

/** Reads a number's state, quality, verified name and messaging tier from the platform, and stores them. */
export function refreshChannelHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock, log, secretBox } = resources;

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readChannelRef(job.payload);
    if (!(await supersede(pool, job))) return { type: 'done' };
    const channel = await findAccess(pool, ref);
    if (!channel) return { type: 'done' };
    const access_token = secretBox.open(channel.access_token, 'channels.access_token');
    // The interval counts from here, so that a move of the test clock during the call takes effect at once.
    const run_at = new Date(clock.nowMs() + refreshEveryMs);
    const number = await platform.getPhoneNumber({ phone_number_id: channel.phone_number_id, access_token });
    await transaction(pool, async (tx) => {
      const display_phone = number.display_phone && `+${number.display_phone}`;
      await setNumberState(tx, ref.workspace_id, ref.channel_id, { ...number, display_phone });
      await retry(tx, [{ job, run_at, failed: false }]);
    });
    return { type: 'finished' };
  }

  async function runOrWait(job: Job): Promise<JobOutcome> {
    try {
      return await run(job);
    } catch (error) {
      if (!(error instanceof PlatformRefusal)) throw error;
      const channel_id = publicId('channel', job.group_id);
      log.warn({ channel_id, reason: error.message }, 'the platform did not say how a number stands');
      return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    }
  }

  return { kind: refreshChannel, concurrency: 64, group_concurrency: 1, run: runOrWait };
}
