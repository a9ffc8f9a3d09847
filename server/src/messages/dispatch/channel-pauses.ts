import { pauseGroup } from '../../jobs/groups.ts';
import type { Resources } from '../../process/resources.ts';
import { dispatchKinds } from '../jobs.ts';

/** The channels whose calls fail, as seen by this process. A channel is paused, then tried with one message. */
export function createChannelPauses({ pool, clock }: Pick<Resources, 'pool' | 'clock'>) {
  /** The number of pauses in a row, and the end of the last one in milliseconds. */
  const paused = new Map<string, { pauses: number; until: number }>();

  function pausesOf(channel_id: string): number {
    return paused.get(channel_id)?.pauses ?? 0;
  }

  return {
    pausesOf,

    /** Concurrent failures make one pause: the later ones find the channel paused. */
    async pause(channel_id: string, pause_ms: number): Promise<void> {
      const now = clock.nowMs();
      const last = paused.get(channel_id);
      if (last && now < last.until) return;
      paused.set(channel_id, { pauses: pausesOf(channel_id) + 1, until: now + pause_ms });
      await Promise.all(dispatchKinds.map((kind) => pauseGroup(pool, kind, channel_id, new Date(now + pause_ms))));
    },

    /** The platform has answered a call of the channel. */
    end: (channel_id: string): void => void paused.delete(channel_id),

    /** Concurrency limits: a failing channel gets one call, which shows whether the others can follow. */
    narrowed: (): [string, number][] => [...paused.keys()].map((channel_id) => [channel_id, 1]),
  };
}
