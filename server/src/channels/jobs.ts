import type { NewJob } from '../jobs/job.ts';
import type { ChannelRef } from './queries.ts';

/** The kind of the jobs that read a number's state from the platform, now and every hour. The group is the channel. */
export const refreshChannel = 'channels.refresh_channel';

export function refreshChannelJob({ workspace_id, channel_id }: ChannelRef, run_at: Date): NewJob {
  return {
    kind: refreshChannel,
    group_id: channel_id,
    payload: JSON.stringify({ workspace_id, channel_id } satisfies ChannelRef),
    run_at,
  };
}

export function readChannelRef(payload: string): ChannelRef {
  return JSON.parse(payload) as ChannelRef;
}
