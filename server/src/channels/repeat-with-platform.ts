import { publicId } from '../database/ids.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { supersede } from '../jobs/supersede.ts';
import { PlatformRefusal } from '../platform/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { readChannelRef } from './jobs.ts';
import { type ChannelAccess, type ChannelRef, findAccess } from './queries.ts';

export interface OpenedAccess extends Omit<ChannelAccess, 'access_token'>, ChannelRef {
  access_token: string;
  /** As it is stored. */
  sealed_token: Buffer;
  /** Null until the platform told it. */
  status: string | null;
  fault: string | null;
  fault_until: Date | null;
}

interface Repeated {
  kind: string;
  /** The warning when the platform refuses. */
  warning: string;
  /** Calls the platform and stores the answer, together with the time of the next run. */
  perform(job: Job, channel: OpenedAccess): Promise<void>;
}

/** Handles a job of a channel that asks the platform at intervals. A refusal delays the next try. */
export function repeatWithPlatform({ pool, clock, log, secretBox }: Resources, repeated: Repeated): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readChannelRef(job.payload);
    if (!(await supersede(pool, job))) return { type: 'done' };
    const channel = await findAccess(pool, ref);
    if (!channel) return { type: 'done' };
    const access_token = secretBox.open(channel.access_token, 'channels.access_token');
    await repeated.perform(job, { ...ref, ...channel, access_token, sealed_token: channel.access_token });
    return { type: 'finished' };
  }

  return {
    kind: repeated.kind,
    concurrency: 64,
    group_concurrency: 1,
    async run(job) {
      try {
        return await run(job);
      } catch (error) {
        if (!(error instanceof PlatformRefusal)) throw error;
        log.warn({ channel_id: publicId('channel', job.group_id), reason: error.message }, repeated.warning);
        return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
      }
    },
  };
}
