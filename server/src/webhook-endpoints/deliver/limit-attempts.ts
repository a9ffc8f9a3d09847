import type { SpaceCalls } from '../../outbound/space-calls.ts';
import { createWorkspaceSlots } from './workspace-slots.ts';

/** What one process spends on whom, so that a receiver in trouble, or a workspace with many, costs the others nothing. */
export interface AttemptLimiter {
  /** Endpoints that have fewer places for the time being, as the jobs' machinery asks for them. */
  narrowed(): Iterable<readonly [endpoint_id: string, places: number]>;
  /** Takes a place for an attempt; false where its workspace has all of its own in use. */
  acquire(place: AttemptOwner): boolean;
  /** Takes a turn; answers in how many milliseconds it comes. */
  reserveCall(attempt: AttemptOwner & { url: string }): number;
  /** Says how an attempt ended. */
  recordOutcome(endpoint_id: string, is_delivered: boolean): void;
  /** Gives the place back. */
  release(place: AttemptOwner): void;
}

interface AttemptOwner {
  workspace_id: string;
  endpoint_id: string;
}

// So many failures in a row, and an endpoint has one place and calls that far apart, until one succeeds. A receiver that
// fails at random never comes there; one that is away costs ten calls a second at most, however much waits for it.
const troubleAfter = 10;
const troubleWaitMs = 100;
// What is known of more endpoints than these is forgotten, and learned again.
const maxFailing = 20_000;

/** Its calls take their turns among all that the process makes. */
export function createAttemptLimiter({ places, calls }: { places: number; calls: SpaceCalls }): AttemptLimiter {
  const shares = createWorkspaceSlots(places);
  const failures = new Map<string, number>();
  const isTroubled = (endpoint_id: string) => (failures.get(endpoint_id) ?? 0) >= troubleAfter;

  return {
    narrowed() {
      const least = new Map(shares.narrowed());
      for (const [id, count] of failures) if (count >= troubleAfter) least.set(id, Math.min(1, least.get(id) ?? 1));
      for (const id of calls.hurried()) least.set(id, 0);
      return least;
    },
    acquire: ({ workspace_id, endpoint_id }) => shares.acquire(workspace_id, endpoint_id),
    reserveCall: ({ url, endpoint_id }) =>
      Math.max(calls.take(url, endpoint_id), isTroubled(endpoint_id) ? troubleWaitMs : 0),
    recordOutcome(endpoint_id, is_delivered) {
      if (is_delivered) failures.delete(endpoint_id);
      else {
        if (failures.size >= maxFailing) failures.clear();
        failures.set(endpoint_id, (failures.get(endpoint_id) ?? 0) + 1);
      }
    },
    release: ({ workspace_id, endpoint_id }) => shares.release(workspace_id, endpoint_id),
  };
}
