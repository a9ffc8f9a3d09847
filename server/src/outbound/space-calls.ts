export interface SpaceCalls {
  /** Milliseconds until the host of this URL may be called. */
  waitFor(url: string): number;
  /** Reserves that call. Answers the same number. */
  take(url: string, caller_id: string): number;
  /** Callers that must wait, because their host was called often enough. */
  hurried(): Iterable<string>;
}

// A burst may contain the calls of a tenth of a second.
const burstMs = 100;
const forgetEveryMs = 1_000;

/**
 * Limits the rate of a process's calls to one host over all callers and ports (hazards H43, H45). A receiver that returns after
 * hours meets no flood. The host is the name or address in the URL, since only connections know resolved addresses. It runs
 * on real time.
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

/** The host without its port, in the parser's normal form. */
function hostOf(url: string): string {
  return new URL(url).hostname;
}
