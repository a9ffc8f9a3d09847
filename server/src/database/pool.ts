import pg from 'pg';
import type { Logger } from 'pino';
import { createLimitLongWaits, type LimitLongWaits } from '../concurrency/limit-long-waits.ts';
import { Client } from './client.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { type Query, runOn } from './run-on.ts';
import { shareConnections } from './share-connections.ts';
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
  /** Ends a statement that takes longer, in milliseconds. */
  statement_timeout_ms: number;
  /**
   * Plans each statement once on each connection, whatever its values. To plan a search costs as much as the search. Not
   * for workers: with an unknown limit a claim is planned for many jobs, and costs half as much again.
   */
  plans_once?: boolean;
  log: Logger;
}

// Sums and counts fit into 2^53; a bigint as text would become a JSON string (hazard H76).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);

// Every statement here finds its rows by an index. Left alone, the planner joins a batch of 30 to a table of 16,000 by
// scanning the table (12 ms instead of 1), and a plan that was made while a table was empty scans it until the next
// ANALYZE. A report that has to read a whole table turns these on again for itself.
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
export function openPool({ connection, size, statement_timeout_ms, plans_once = false, log }: PoolOptions): Pool {
  const settings = plans_once ? [...sessionSettings, 'plan_cache_mode=force_generic_plan'] : sessionSettings;
  const pool = new pg.Pool({
    ...connection,
    Client,
    max: size,
    // Statements that do not wait for each other's rows share a round trip.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Sooner than the statement timeout: who waits behind slow statements is told so, and does not add to them.
    connectionTimeoutMillis: 3_000,
    statement_timeout: statement_timeout_ms,
    // The server ends a slow statement before; who hears nothing by then speaks to nobody.
    query_timeout: statement_timeout_ms + 2_000,
    idle_in_transaction_session_timeout: 5_000,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  });
  // Not once it is closed: it does not wait for its connections to end, and an embedded PostgreSQL that stops behind it
  // ends those that are still there.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'an idle database connection broke'));
  // A connection that breaks while it is lent out emits too; its query fails, the process lives (hazard H96).
  pool.on('connect', (client) => client.on('error', () => {}));
  const watch = watchPool(pool);
  // The other half stays for what takes longer, and for transactions.
  const runShared = shareConnections(pool, Math.floor(size / 2));
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  return {
    pg: pool,
    limitLongWaits: createLimitLongWaits(Math.ceil(size / 2)),
    announce(topics) {
      for (const listener of listeners) listener(topics);
    },
    onAnnounced: (listener) => void listeners.push(listener),
    query: (query) => (query.sharer === undefined ? runOn(pool, query) : runShared(query, query.sharer)),
    close() {
      watch.stop();
      return pool.end();
    },
  };
}
