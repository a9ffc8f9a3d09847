import type { NewJob } from '../jobs/job.ts';

/** Settles whom a broadcast is for, at its time, and enqueues itself again until it has. Group: the channel. */
export const startBroadcast = 'broadcasts.start_broadcast';

/** Hands the next recipients over to dispatch, and enqueues itself again. Group: the channel. */
export const sendBatch = 'broadcasts.send_batch';

export interface BroadcastRef {
  workspace_id: string;
  broadcast_id: string;
  channel_id: string;
  /** Up to which contact the audience is settled. */
  after?: string;
  /** Up to which position nobody can be written to without a place of the messaging tier, while there is none. */
  behind?: number;
}

export function broadcastJob(kind: typeof startBroadcast | typeof sendBatch, ref: BroadcastRef, run_at: Date): NewJob {
  const { workspace_id, broadcast_id, channel_id, after, behind } = ref;
  const payload = JSON.stringify({
    workspace_id,
    broadcast_id,
    channel_id,
    ...(after && { after }),
    ...(behind !== undefined && { behind }),
  } satisfies BroadcastRef);
  return { kind, group_id: channel_id, payload, run_at };
}

export function readBroadcastRef(payload: string): BroadcastRef {
  return JSON.parse(payload) as BroadcastRef;
}
