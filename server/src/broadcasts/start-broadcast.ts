import { transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import type { Resources } from '../process/resources.ts';
import { broadcastJob, readBroadcastRef, sendBatch, startBroadcast } from './jobs.ts';
import { lockBroadcast, setHeld, setStatus, snapshotBatch } from './queries.ts';

// A batch takes 60 ms, 170 ms on a busy host: far below the statement timeout of 5 s, and a short wait for a concurrent
// cancellation or erasure.
const batchSize = 1_000;

/**
 * Snapshots the audience of a broadcast at its time, then enqueues the first batch. Contacts are copied in batches, each with
 * the job of the next in one commit, fenced by the claim. So an audience may have any size, and a crash neither repeats nor
 * omits a contact.
 */
export function startBroadcastHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readBroadcastRef(job.payload);
    await transaction(pool, async (tx) => {
      const broadcast = await lockBroadcast(tx, ref.workspace_id, ref.broadcast_id);
      if ((await finish(tx, [job])) === 0 || broadcast?.status !== 'scheduled') return;
      if (broadcast.paused_at) return setHeld(tx, ref.workspace_id, ref.broadcast_id, job.payload);
      const { workspace_id, broadcast_id: id } = ref;
      const after = broadcast.has_list
        ? undefined
        : await snapshotBatch(tx, { workspace_id, id }, ref.after, batchSize);
      if (after) return enqueueJobs(tx, [broadcastJob(startBroadcast, { ...ref, after }, clock.now())]);
      await setStatus(tx, ref.workspace_id, ref.broadcast_id, 'sending');
      await enqueueJobs(tx, [broadcastJob(sendBatch, ref, clock.now())]);
    });
    return { type: 'finished' };
  }
  return { kind: startBroadcast, concurrency: 4, group_concurrency: 2, run };
}
