import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Clock } from '../process/clock.ts';
import { broadcastJob, readBroadcastRef, sendBatch, startBroadcast } from './jobs.ts';
import { clearPause, hasWaiting, type LockedBroadcast, lockBroadcast, setPaused } from './queries.ts';

interface BroadcastName {
  workspace_id: string;
  id: string;
}

/**
 * Holds back the recipients who wait; messages with a dispatch job still leave. The job of the broadcast ends at its next turn,
 * and `held_payload` keeps its place. So a crash or a restart at any moment neither ends the pause nor loses the place.
 */
export async function pauseBroadcast(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: BroadcastName,
  user_id: string,
): Promise<void> {
  const { status, paused_at } = await lockUnended(tx, { workspace_id, id });
  if (paused_at) throw new Refusal('already_paused');
  if (status === 'sending' && !(await hasWaiting(tx, workspace_id, id))) throw new Refusal('nothing_waiting');
  await setPaused(tx, { workspace_id, id }, { at: clock.now(), by: user_id });
}

/** Goes on where the broadcast stood. A job that no turn has ended yet goes on by itself. */
export async function resumeBroadcast(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: BroadcastName,
): Promise<void> {
  const { status, paused_at, held_payload } = await lockUnended(tx, { workspace_id, id });
  if (!paused_at) throw new Refusal('not_paused');
  await clearPause(tx, workspace_id, id);
  if (held_payload === null) return;
  // The start sets the status together with the first job of sending, so the status names the job that was held.
  const kind = status === 'scheduled' ? startBroadcast : sendBatch;
  await enqueueJobs(tx, [broadcastJob(kind, readBroadcastRef(held_payload), clock.now())]);
}

async function lockUnended(tx: Transaction, { workspace_id, id }: BroadcastName): Promise<LockedBroadcast> {
  const broadcast = await lockBroadcast(tx, workspace_id, id);
  if (!broadcast) throw new Refusal('not_found');
  if (broadcast.status !== 'scheduled' && broadcast.status !== 'sending') throw new Refusal('broadcast_ended');
  return broadcast;
}
