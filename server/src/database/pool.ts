import pg from 'pg';
import type { Logger } from 'pino';
import { createLimitLongWaits, type LimitLongWaits } from '../concurrency/limit-long-waits.ts';
import { Client } from './client.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { type Query, runOn } from './run-on.ts';
import { watchPool } from './watch-pool.ts';

/** Where a statement runs: the pool (its own transaction) or a transaction. */
export interface Connection {
  query<Row>(query: Query<Row>): Promise<Row[]>;
}

export interface Pool extends Connection {
  readonly pg: pg.Pool;
  /** Bounds the transactions that wait long for a lock: each holds a connection meanwhile. */
  readonly limitLongWaits: LimitLongWaits;
  /** Calls the listeners with the topics of a committed transaction. */
  announce(topics: ReadonlySet<string>): void;
  onAnnounced(listener: (topics: ReadonlySet<string>) => void): void;
  close(): Promise<void>;
}

export interface PoolOptions {
  connection: pg.ClientConfig;
  size: number;
  /** Ends a statement that takes longer, in milliseconds, and a transaction that is idle for as long. */
  statement_timeout_ms: number;
  /** Refuses a caller who waits longer for a connection. */
  connection_timeout_ms?: number;
  log: Logger;
}

// Sums and counts fit into 2^53; a bigint as text would become a JSON string (hazard H76).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

// Every statement finds its rows by an index. The planner expects 100 rows of each list of values, and none of the workspaces
// to be small, so it would read whole tables instead. With 8,000 workspaces a batch of 8 sends then reads 4,300 pages instead
// of 1,400, and 9,300 where sequential scans alone are off. A report that reads many rows turns hash joins on for itself.
const sessionSettings = [
  'TimeZone=UTC',
  'jit=off',
  'random_page_cost=1.1',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  // The server too gives up a connection that died without a word, and with it the locks of its session.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=5',
];

/** A pool of connections that survives the database's restarts: an idle connection that breaks is replaced. */
export function openPool({
  connection,
  size,
  statement_timeout_ms,
  connection_timeout_ms = 3_000,
  log,
}: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connection,
    Client,
    max: size,
    // Statements that do not wait for each other's rows share a round trip.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Sooner than the statement timeout: who waits behind slow statements is told so, and does not add to them.
    connectionTimeoutMillis: connection_timeout_ms,
    statement_timeout: statement_timeout_ms,
    // The server ends a slow statement before; who hears nothing by then speaks to nobody.
    query_timeout: statement_timeout_ms + 2_000,
    idle_in_transaction_session_timeout: statement_timeout_ms,
    options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
  });
  // Not once it is closed: it does not wait for its connections to end, and an embedded PostgreSQL that stops behind it
  // ends those that are still there.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'an idle database connection broke'));
  // A connection that breaks while it is lent out emits too; its query fails, the process lives (hazard H96).
  pool.on('connect', (client) => client.on('error', () => {}));
  const watch = watchPool(pool);
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  return {
    pg: pool,
    limitLongWaits: createLimitLongWaits(Math.ceil(size / 2)),
    announce(topics) {
      for (const listener of listeners) listener(topics);
    },
    onAnnounced: (listener) => void listeners.push(listener),
    query: (query) => runOn(pool, query),
    close() {
      watch.stop();
      return pool.end();
    },
  };
}
