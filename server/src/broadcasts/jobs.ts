import type { NewJob } from '../jobs/job.ts';

/** Snapshots the audience at the broadcast's time; enqueues itself until complete. Group: the channel. */
export const startBroadcast = 'broadcasts.start_broadcast';

/** Sends the next batch and enqueues itself. Group: the channel. */
export const sendBatch = 'broadcasts.send_batch';

export interface BroadcastRef {
  workspace_id: string;
  broadcast_id: string;
  channel_id: string;
  /** The last contact of the snapshot so far. */
  after?: string;
  /** Without a free place: all recipients up to this position need one. */
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
