import { publicId } from '../database/ids.ts';
import type { NewEvent } from '../events/record-events.ts';

/** The state of a channel after a change. */
export interface ChangedState {
  workspace_id: string;
  id: string;
  status: string | null;
  quality: string | null;
  fault: string | null;
}

export function channelStateUpdated({ workspace_id, id, status, quality, fault }: ChangedState): NewEvent {
  const channel = {
    id: publicId('channel', id),
    ...(status !== null && { status }),
    ...(quality !== null && { quality }),
    ...(fault !== null && { fault }),
  };
  return { workspace_id, type: 'channel.state_updated', data: { channel } };
}
