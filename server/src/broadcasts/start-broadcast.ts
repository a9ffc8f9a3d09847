import { type Transaction, transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import type { Resources } from '../process/resources.ts';
import { type BroadcastRef, broadcastJob, readBroadcastRef, sendBatch, startBroadcast } from './jobs.ts';
import { lockBroadcast, type Standing, setStatus, snapshotPortion } from './queries.ts';

// A portion takes 60 ms, and 170 where the host is busy: far from the 5 s that end a statement, and short enough to wait
// for, for who cancels the broadcast or erases one of the contacts.
const portionSize = 1_000;

/**
 * Settles whom a broadcast is for when its time has come, once, and has the first batch sent. An audience of contacts is
 * settled in portions, each with the job of the next in one commit, fenced by the claim: so it may be of any size, and a
 * crash at any moment neither repeats nor leaves out anybody.
 */
export function startBroadcastHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readBroadcastRef(job.payload);
    await transaction(pool, async (tx) => {
      const standing = await lockBroadcast(tx, ref.workspace_id, ref.broadcast_id);
      if ((await finish(tx, [job])) === 0 || standing?.status !== 'scheduled') return;
      const after = await settleNext(tx, ref, standing);
      if (after) return enqueueJobs(tx, [broadcastJob(startBroadcast, { ...ref, after }, clock.now())]);
      await setStatus(tx, ref.workspace_id, ref.broadcast_id, 'sending');
      await enqueueJobs(tx, [broadcastJob(sendBatch, ref, clock.now())]);
    });
    return { type: 'finished' };
  }
  return { kind: startBroadcast, concurrency: 4, group_concurrency: 2, run };
}

/** Up to which contact the audience is settled; undefined once it is. */
async function settleNext(tx: Transaction, ref: BroadcastRef, { has_list }: Standing): Promise<string | undefined> {
  if (has_list) return undefined;
  const { workspace_id, broadcast_id: id, after } = ref;
  return snapshotPortion(tx, { workspace_id, id }, after, portionSize);
}
