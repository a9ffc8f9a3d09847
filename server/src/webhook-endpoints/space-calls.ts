export interface SpaceCalls {
  /** Takes a turn at the host and port of this address; answers in how many milliseconds it comes. */
  take(url: string, endpoint_id: string): number;
  /** Endpoints whose host is to be called no sooner than later. */
  hurried(): Iterable<string>;
}

// A host may be called a tenth of a second's worth at once.
const burstMs = 100;

/**
 * Spaces the calls of one process to one host and port, however many endpoints lead there: a receiver that comes back
 * after hours meets no flood, and registering many endpoints makes none. On real time.
 */
export function spaceCalls(calls_per_second: number, now: () => number = () => performance.now()): SpaceCalls {
  const hosts = new Map<string, { next: number; endpoints: Set<string> }>();
  const interval = 1000 / calls_per_second;

  return {
    take(url, endpoint_id) {
      const { host } = new URL(url);
      const known = hosts.get(host) ?? { next: 0, endpoints: new Set<string>() };
      hosts.set(host, known);
      known.endpoints.add(endpoint_id);
      const turn = Math.max(known.next, now() - burstMs);
      known.next = turn + interval;
      return Math.max(0, turn - now());
    },
    *hurried() {
      for (const [host, { next, endpoints }] of hosts) {
        if (next > now()) yield* endpoints;
        else if (next < now() - burstMs) hosts.delete(host);
      }
    },
  };
}
