export interface SpaceCalls {
  /** Milliseconds until this owner may call the host of this URL. */
  waitFor(url: string, owner_id: string): number;
  /** Resolves when it is the turn of this call. */
  takeTurn(url: string, caller: Caller): Promise<void>;
  /** Callers that must wait, because calls of their owner wait for the host. */
  hurried(): Iterable<string>;
}

export interface Caller {
  caller_id: string;
  /** The tenant of the caller. Owners have turns at a host in rotation. */
  owner_id: string;
}

interface Host {
  /** When the next call may be made. */
  next: number;
  /** The calls that wait, by owner in the order of rotation. */
  waiting: Map<string, WaitingCalls>;
  timer: NodeJS.Timeout | undefined;
}

interface WaitingCalls {
  begin: (() => void)[];
  callers: Set<string>;
}

// A burst may contain the calls of a tenth of a second.
const burstMs = 100;
const forgetEveryMs = 1_000;

/**
 * Limits the rate of a process's calls to one host over all callers and ports (hazards H43, H45). A receiver that returns after
 * hours meets no flood. Owners have their turns in rotation: a thousand endpoints of one workspace at a shared host delay a call
 * of another by one turn. The host is the name or address in the URL, since only connections know resolved addresses. It runs
 * on real time.
 */
export function spaceCalls(calls_per_second: number, now: () => number = () => performance.now()): SpaceCalls {
  const hosts = new Map<string, Host>();
  const interval = 1000 / calls_per_second;
  let forgotten_at = now();

  function hostAt(url: string): Host {
    const name = new URL(url).hostname;
    const host = hosts.get(name) ?? { next: 0, waiting: new Map(), timer: undefined };
    hosts.set(name, host);
    host.next = Math.max(host.next, now() - burstMs);
    return host;
  }

  function forgetPast(): void {
    if (now() - forgotten_at < forgetEveryMs) return;
    forgotten_at = now();
    for (const [name, { next, waiting }] of hosts) {
      if (waiting.size === 0 && next < now() - burstMs) hosts.delete(name);
    }
  }

  /** Begins the calls that are due, one of each owner in rotation. */
  function serve(host: Host): void {
    host.timer = undefined;
    while (host.waiting.size > 0 && host.next <= now()) {
      const [owner_id, queue] = host.waiting.entries().next().value!;
      host.waiting.delete(owner_id);
      host.next += interval;
      queue.begin.shift()!();
      if (queue.begin.length > 0) host.waiting.set(owner_id, queue);
    }
    if (host.waiting.size > 0) host.timer = setTimeout(() => serve(host), Math.ceil(host.next - now()));
  }

  return {
    waitFor(url, owner_id) {
      const host = hostAt(url);
      const own = host.waiting.get(owner_id)?.begin.length ?? 0;
      let ahead = own;
      for (const [id, { begin }] of host.waiting) if (id !== owner_id) ahead += Math.min(begin.length, own + 1);
      return Math.max(0, host.next + ahead * interval - now());
    },
    takeTurn(url, { caller_id, owner_id }) {
      forgetPast();
      const host = hostAt(url);
      const queue = host.waiting.get(owner_id) ?? { begin: [], callers: new Set() };
      host.waiting.set(owner_id, queue);
      queue.callers.add(caller_id);
      return new Promise((resolve) => {
        queue.begin.push(resolve);
        if (!host.timer) serve(host);
      });
    },
    *hurried() {
      for (const { waiting } of hosts.values()) for (const { callers } of waiting.values()) yield* callers;
    },
  };
}
