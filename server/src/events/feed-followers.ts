import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { hasShare } from '../concurrency/has-share.ts';
import type { Pool } from '../database/pool.ts';
import { createAuthenticate, type KeyCaller } from '../http/authenticate.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { findBehind, readHead } from './read-feed.ts';

/** The readers of feeds in this process. One poll serves all that wait. */
export interface FeedFollowers {
  /** Refuses a reader beyond the bounds. The reader is left as soon as its request ends. */
  enter(caller: KeyCaller, authorization: string | undefined): FeedFollower;
  /** Ends all waits. */
  close(): void;
}

export interface FeedFollower {
  /** Resolves when the workspace has an event behind the position, after `ms`, or when the follower ends. */
  waitForNews(after: number, ms: number): Promise<void>;
  /** Why the reader must stop. */
  readonly end: 'revoked' | 'restart' | 'left' | undefined;
  leave(): void;
}

interface CreateFeedFollowers {
  pool: Pool;
  clock: Pick<Clock, 'now' | 'nowMs'>;
  log: Pick<Logger, 'debug'>;
  config: { liveStreams: number };
}

interface Waiter {
  workspace_id: string;
  after: number;
  wake: () => void;
}

const followersPerWorkspace = 20;
const pollEveryMs = 200;
// A revoked key reads nothing 5 s later.
const checkEveryMs = 2_000;

export function createFeedFollowers({ pool, clock, log, config }: CreateFeedFollowers): FeedFollowers {
  const authenticate = createAuthenticate(pool, clock);
  const present = new Map<string, number>();
  const waiters = new Set<Waiter>();
  const endings = new Set<() => void>();
  let following = 0;
  let closed = false;
  let running = false;
  let head = 0;
  /** Whether somebody began to wait since the last turn. */
  let isFresh = false;

  async function run(): Promise<void> {
    running = true;
    while (waiters.size > 0) {
      await takeTurn().catch((err) => log.debug({ err }, 'the followers of events could not look for news'));
      await pause(pollEveryMs);
    }
    running = false;
  }

  async function takeTurn(): Promise<void> {
    const now = await readHead(pool);
    if (now === head && !isFresh) return;
    head = now;
    isFresh = false;
    const asked = [...waiters];
    const least = new Map<string, number>();
    for (const { workspace_id, after } of asked) {
      least.set(workspace_id, Math.min(after, least.get(workspace_id) ?? after));
    }
    const behind = new Set(
      await findBehind(
        pool,
        [...least].map(([workspace_id, after]) => ({ workspace_id, after })),
      ),
    );
    for (const waiter of asked) if (behind.has(waiter.workspace_id)) waiter.wake();
  }

  function admit(workspace_id: string): void {
    const own = present.get(workspace_id) ?? 0;
    if (closed || (own < followersPerWorkspace && !hasShare({ places: config.liveStreams, taken: following, own }))) {
      throw new Refusal('service_unavailable', { headers: { 'Retry-After': '5' } });
    }
    if (own < followersPerWorkspace) return;
    const detail = `At most ${followersPerWorkspace} requests of a workspace may read or follow its events at once.`;
    throw new Refusal('rate_limited', { detail, headers: { 'Retry-After': '5' } });
  }

  return {
    enter({ workspace_id, key_prefix }, authorization) {
      admit(workspace_id);
      following += 1;
      present.set(workspace_id, (present.get(workspace_id) ?? 0) + 1);
      let end: FeedFollower['end'];
      let wake = () => {};
      const stop = (reason: NonNullable<FeedFollower['end']>) => {
        end ??= reason;
        wake();
      };
      const stopByClose = () => stop('restart');
      endings.add(stopByClose);
      const check = setInterval(async () => {
        // An absent database revokes nothing.
        const caller = await authenticate(authorization).catch(() => 'unknown' as const);
        if (caller === undefined) stop('revoked');
      }, checkEveryMs);
      log.debug({ key_prefix }, 'a follower of events has come');
      return {
        get end() {
          return end;
        },
        async waitForNews(after, ms) {
          if (end !== undefined) return;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(() => wake(), ms);
            const waiter = { workspace_id, after, wake: () => wake() };
            wake = () => {
              clearTimeout(timer);
              waiters.delete(waiter);
              wake = () => {};
              resolve();
            };
            waiters.add(waiter);
            isFresh = true;
            if (!running) void run();
          });
        },
        leave() {
          if (end === 'left') return;
          if (endings.delete(stopByClose)) {
            following -= 1;
            const others = present.get(workspace_id)! - 1;
            if (others === 0) present.delete(workspace_id);
            else present.set(workspace_id, others);
          }
          clearInterval(check);
          stop('left');
        },
      };
    },
    close() {
      closed = true;
      for (const end of [...endings]) end();
    },
  };
}
