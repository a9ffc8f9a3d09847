import { pauseGroup } from '../../jobs/groups.ts';
import type { Resources } from '../../process/resources.ts';
import { dispatchKinds } from '../jobs.ts';

/** The channels whose calls go wrong, as this process has met them: each waits, and is tried with one message. */
export function createChannelTroubles({ pool, clock }: Pick<Resources, 'pool' | 'clock'>) {
  /** How many pauses stood in a row, and until when the last one holds, in milliseconds. */
  const troubles = new Map<string, { pauses: number; until: number }>();

  function pausesOf(channel_id: string): number {
    return troubles.get(channel_id)?.pauses ?? 0;
  }

  return {
    pausesOf,

    /** Calls that go wrong together make one pause: those behind the first find the channel waiting already. */
    async pause(channel_id: string, pause_ms: number): Promise<void> {
      const now = clock.nowMs();
      const last = troubles.get(channel_id);
      if (last && now < last.until) return;
      troubles.set(channel_id, { pauses: pausesOf(channel_id) + 1, until: now + pause_ms });
      await Promise.all(dispatchKinds.map((kind) => pauseGroup(pool, kind, channel_id, new Date(now + pause_ms))));
    },

    /** The platform has answered for it. */
    end: (channel_id: string): void => void troubles.delete(channel_id),

    /** Channels in trouble have one place: that message shows whether the rest can follow. */
    narrowed: (): [string, number][] => [...troubles.keys()].map((channel_id) => [channel_id, 1]),
  };
}
