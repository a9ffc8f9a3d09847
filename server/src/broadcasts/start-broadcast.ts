import { transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import type { Resources } from '../resources.ts';
import { broadcastJob, readBroadcastRef, sendBatch, startBroadcast } from './jobs.ts';
import { lockBroadcast, setStatus, snapshotAudience } from './queries.ts';

/** Settles whom a broadcast is for when its time has come, once, and has the first batch sent. */
export function startBroadcastHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readBroadcastRef(job.payload);
    await transaction(pool, async (tx) => {
      const standing = await lockBroadcast(tx, ref.workspace_id, ref.broadcast_id);
      if ((await finish(tx, [job])) === 0 || standing?.status !== 'scheduled') return;
      await snapshotAudience(tx, ref.workspace_id, ref.broadcast_id);
      await setStatus(tx, ref.workspace_id, ref.broadcast_id, 'sending');
      await enqueueJobs(tx, [broadcastJob(sendBatch, ref, clock.now())]);
    });
    return { type: 'finished' };
  }
  return { kind: startBroadcast, concurrency: 4, group_concurrency: 2, run };
}
