import type { SpaceCalls } from '../../outbound/space-calls.ts';
import { createWorkspaceSlots } from './workspace-slots.ts';

/** Limits the attempts of one process, so that a failing receiver or a large workspace does not delay others. */
export interface AttemptLimiter {
  /** Endpoints with a lower limit for now, read at each claim of jobs. */
  narrowed(): Iterable<readonly [endpoint_id: string, slots: number]>;
  /** Takes a slot for an attempt; false where its workspace has all slots in use. */
  acquire(owner: AttemptOwner): boolean;
  /** Reserves a call at the host; answers the delay in milliseconds. */
  reserveCall(attempt: AttemptOwner & { url: string }): number;
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
  const workspaces = createWorkspaceSlots(slots);
  const failures = new Map<string, number>();
  const isTroubled = (endpoint_id: string) => (failures.get(endpoint_id) ?? 0) >= troubleAfter;

  return {
    narrowed() {
      const least = new Map(workspaces.narrowed());
      for (const [id, count] of failures) if (count >= troubleAfter) least.set(id, Math.min(1, least.get(id) ?? 1));
      for (const id of calls.hurried()) least.set(id, 0);
      return least;
    },
    acquire: ({ workspace_id, endpoint_id }) => workspaces.acquire(workspace_id, endpoint_id),
    reserveCall: ({ url, endpoint_id }) =>
      Math.max(calls.take(url, endpoint_id), isTroubled(endpoint_id) ? troubleWaitMs : 0),
    recordOutcome(endpoint_id, is_delivered) {
      if (is_delivered) failures.delete(endpoint_id);
      else {
        if (failures.size >= maxFailing) failures.clear();
        failures.set(endpoint_id, (failures.get(endpoint_id) ?? 0) + 1);
      }
    },
    release: ({ workspace_id, endpoint_id }) => workspaces.release(workspace_id, endpoint_id),
  };
}
