import { setTimeout as pause } from 'node:timers/promises';
import { shareFreePlaces } from '../../concurrency/share-free-places.ts';
import type { TenantPlaces } from '../../jobs/job.ts';
import type { SpaceCalls } from '../../outbound/space-calls.ts';

/** Limits the attempts of one process, so that a failing receiver or a large workspace does not delay others. */
export interface AttemptLimiter {
  /** Endpoints with a lower limit for now, read at each claim of jobs. */
  narrowed(): Iterable<readonly [endpoint_id: string, slots: number]>;
  /** The slots that each workspace may take at a claim of jobs. */
  workspacePlaces(): TenantPlaces;
  /** Takes a slot for an attempt; false where its workspace has as many as it may have now. */
  acquire(owner: AttemptOwner): boolean;
  /** Waits for the turn of an attempt at its host. */
  takeTurn(attempt: AttemptOwner & { url: string }): Promise<void>;
  /** Records how an attempt ended. */
  recordOutcome(endpoint_id: string, is_delivered: boolean): void;
  /** Releases the slot. */
  release(owner: AttemptOwner): void;
}

interface AttemptOwner {
  workspace_id: string;
  endpoint_id: string;
}

// After ten failures in a row an endpoint has one slot and 100 ms between calls, until a success. Random failures do not
// reach that count. An unreachable receiver costs ten calls a second at most.
const troubleAfter = 10;
const troubleWaitMs = 100;
// Beyond this many failing endpoints the counts start again.
const maxFailing = 20_000;

/** `calls` spaces all calls of the process. */
export function createAttemptLimiter({ slots, calls }: { slots: number; calls: SpaceCalls }): AttemptLimiter {
  // Hanging receivers of many workspaces leave slots for the others, whatever the number of their endpoints (hazard H44).
  const workspaces = shareFreePlaces({ places: slots, each: slots });
  const failures = new Map<string, number>();
  const isTroubled = (endpoint_id: string) => (failures.get(endpoint_id) ?? 0) >= troubleAfter;

  return {
    narrowed() {
      const least = new Map<string, number>();
      for (const [id, count] of failures) if (count >= troubleAfter) least.set(id, 1);
      for (const id of calls.hurried()) least.set(id, 0);
      return least;
    },
    workspacePlaces: workspaces.left,
    acquire: ({ workspace_id }) => workspaces.take(workspace_id),
    async takeTurn({ url, endpoint_id, workspace_id }) {
      if (isTroubled(endpoint_id)) await pause(troubleWaitMs);
      await calls.takeTurn(url, { caller_id: endpoint_id, owner_id: workspace_id });
    },
    recordOutcome(endpoint_id, is_delivered) {
      if (is_delivered) failures.delete(endpoint_id);
      else {
        if (failures.size >= maxFailing) failures.clear();
        failures.set(endpoint_id, (failures.get(endpoint_id) ?? 0) + 1);
      }
    },
    release: ({ workspace_id }) => workspaces.give(workspace_id),
  };
}
