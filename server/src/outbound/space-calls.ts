export interface SpaceCalls {
  /** In how many milliseconds a turn at the host of this address would come. */
  waitFor(url: string): number;
  /** Takes that turn; answers the same. */
  take(url: string, caller_id: string): number;
  /** Callers whose host is to be called no sooner than later. */
  hurried(): Iterable<string>;
}

// A host may be called a tenth of a second's worth at once.
const burstMs = 100;
const forgetEveryMs = 1_000;

/**
 * Spaces the calls of one process to one host, however many callers and ports lead there: a receiver that comes back after
 * hours meets no flood, and registering many endpoints makes none. A host is the name or the address in the URL: what a name
 * resolves to is known only where a connection is made. On real time.
 */
export function spaceCalls(calls_per_second: number, now: () => number = () => performance.now()): SpaceCalls {
  const hosts = new Map<string, { next: number; callers: Set<string> }>();
  const interval = 1000 / calls_per_second;
  let forgotten_at = now();

  const turnAt = (host: string): number => Math.max(hosts.get(host)?.next ?? 0, now() - burstMs);
  const waitUntil = (turn: number): number => Math.max(0, turn - now());

  function forgetPast(): void {
    forgotten_at = now();
    for (const [host, { next }] of hosts) if (next < now() - burstMs) hosts.delete(host);
  }

  return {
    waitFor: (url) => waitUntil(turnAt(hostOf(url))),
    take(url, caller_id) {
      if (now() - forgotten_at > forgetEveryMs) forgetPast();
      const host = hostOf(url);
      const turn = turnAt(host);
      const callers = hosts.get(host)?.callers ?? new Set<string>();
      hosts.set(host, { next: turn + interval, callers: callers.add(caller_id) });
      return waitUntil(turn);
    },
    *hurried() {
      for (const { next, callers } of hosts.values()) if (next > now()) yield* callers;
    },
  };
}

/** Without the port. The parser writes names in lower case, and each address in one way. */
function hostOf(url: string): string {
  return new URL(url).hostname;
}
