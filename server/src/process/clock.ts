import type { Logger } from 'pino';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

/**
 * The only source of time: the database's clock plus the offset of the test clock. Windows, retries, schedules,
 * retention and timestamps read it. Rate limits, leases and network timeouts run on real time.
 */
export interface Clock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Moves the test clock forward in every process that shares the database. */
  advance(seconds: number): Promise<Date>;
  /** The listener is called after a move of the test clock, so that newly due work starts at once. */
  onMove(listener: () => void): void;
  stop(): void;
}

const readClock = statement<{ now_ms: number; offset_ms: number }>(
  `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, offset_ms from test_clock`,
);
const moveClock = statement(`update test_clock set offset_ms = offset_ms + $1`);
const setBack = statement(
  `update test_clock set offset_ms = -$1::float8 where offset_ms = 0 and not exists (select from workspaces)`,
);
// All processes follow a move within a second (operating.md).
const syncEveryMs = 400;

/**
 * On a database without workspaces, the clock can begin `behind_ms` before the present. Later it only moves forward, so that ids
 * and positions keep their order.
 */
export async function startClock(connection: Connection, log: Logger, behind_ms = 0): Promise<Clock> {
  let base = 0;
  let uncertainty = Number.POSITIVE_INFINITY;
  let offset: number | undefined;
  const listeners: (() => void)[] = [];

  async function sync(): Promise<void> {
    const before = performance.now();
    const row = (await readClock(connection, []))[0]!;
    const halfTrip = (performance.now() - before) / 2;
    const measured = row.now_ms - before - halfTrip;
    // The quickest answer gives the best measurement. A slower one counts only if it contradicts the current value.
    if (halfTrip <= uncertainty || Math.abs(measured - base) > halfTrip + uncertainty) {
      base = measured;
      uncertainty = halfTrip;
    }
    // An answer from before a move may arrive after it.
    const latest = Math.max(offset ?? row.offset_ms, row.offset_ms);
    const moved = offset !== undefined && offset !== latest;
    offset = latest;
    if (moved) for (const listener of listeners) listener();
  }

  if (behind_ms > 0) await setBack(connection, [behind_ms]);
  await sync();
  let syncing = false;
  const timer = setInterval(() => {
    if (syncing) return;
    syncing = true;
    sync()
      .catch((error) => log.debug({ err: error }, 'the clock could not be read'))
      .finally(() => {
        syncing = false;
      });
  }, syncEveryMs).unref();

  const nowMs = () => Math.floor(base + performance.now() + offset!);
  return {
    now: () => new Date(nowMs()),
    nowMs,
    async advance(seconds) {
      await moveClock(connection, [Math.round(seconds * 1000)]);
      await sync();
      return new Date(nowMs());
    },
    onMove: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  };
}
