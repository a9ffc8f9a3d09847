import { Refusal } from '../http/reply/refusal.ts';
import type { TakeTurn } from './take-turns.ts';

// As long as for a connection: who waits behind slow reads is told so, and does not add to them.
const patienceMs = 3_000;

/**
 * Of each workspace so many reads at once. What it asks for beyond waits here and not in the line for the pool's
 * connections, where all the others would stand behind it (hazard H67).
 */
export function shareReads(at_once: number): TakeTurn {
  const shares = new Map<string, Share>();

  function shareOf(workspace_id: string): Share {
    const known = shares.get(workspace_id);
    if (known) return known;
    const share = { under_way: 0, waiting: new Set<() => void>() };
    shares.set(workspace_id, share);
    return share;
  }

  return async (workspace_id, read) => {
    const share = shareOf(workspace_id);
    // Whoever ends hands its place to the first that waits: it stays taken.
    if (share.under_way < at_once) share.under_way++;
    else await placeIn(share);
    try {
      return await read();
    } finally {
      const [next] = share.waiting;
      if (next) next();
      else if (--share.under_way === 0) shares.delete(workspace_id);
    }
  };
}

interface Share {
  under_way: number;
  waiting: Set<() => void>;
}

function placeIn({ waiting }: Share): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(take);
    };
    const take = () => {
      leave();
      resolve();
    };
    const timer = setTimeout(() => {
      leave();
      reject(new Refusal('service_unavailable', { headers: { 'Retry-After': '1' } }));
    }, patienceMs);
    waiting.add(take);
  });
}
