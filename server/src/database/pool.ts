import pg from 'pg';
import type { Logger } from 'pino';
import { type LimitPerKey, limitPerKey } from '../concurrency/limit-per-key.ts';
import { CorkedClient } from './corked-client.ts';
import { type Query, runOn } from './run-on.ts';
import { watchPool } from './watch-pool.ts';

/** Runs statements: the pool runs each in a transaction of its own. */
export interface Connection {
  /** For what is found wrong in rows. */
  readonly log: Pick<Logger, 'warn'>;
  query<Row>(query: Query<Row>): Promise<Row[]>;
}

export interface Pool extends Connection {
  readonly pg: pg.Pool;
  /**
   * Limits the connections of a tenant to half of the pool, over all doors (hazard H67). Work that uses one connection at a time runs in
   * it. It costs nothing: on two cores, a workspace reads as much through three connections as through sixteen.
   */
  readonly limitTenant: LimitPerKey;
  /** Limits the transactions that wait long for a lock, by tenant and in all, because each holds a connection. */
  readonly limitLongWaits: LimitPerKey;
  /** Calls the listeners with the topics of a committed transaction. */
  announce(topics: ReadonlySet<string>): void;
  onAnnounced(listener: (topics: ReadonlySet<string>) => void): void;
  close(): Promise<void>;
}

export interface PoolOptions {
  connection: pg.ClientConfig;
  size: number;
  /** Ends statements that take longer, and transactions that are idle for longer. */
  statement_timeout_ms: number;
  /** Refuses callers that wait longer for a connection. */
  connection_timeout_ms?: number;
  log: Logger;
}

// Sums and counts fit into 2^53. As text, a bigint would become a JSON string (hazard H76).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// Every statement finds its rows by an index. The planner expects 100 rows per list of values, and presumes no workspace to be
// small, so it would read whole tables. With 8,000 workspaces a batch of 8 sends would read 4,300 pages instead of 1,400, and
// 9,300 if only sequential scans were off. Reports that read many rows turn hash joins on.
const sessionSettings = [
  'TimeZone=UTC',
  'jit=off',
  'random_page_cost=1.1',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  // The server closes a connection whose client vanished, and releases the locks of its session.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=5',
];

function busyError(message: string): Error {
  return Object.assign(new Error(message), { code: '55P03' });
}

/** Opens a pool that survives restarts of the database: it replaces idle connections that break. */
export function openPool({
  connection,
  size,
  statement_timeout_ms,
  connection_timeout_ms = 3_000,
  log,
}: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: CorkedClient,
    max: size,
    // Independent statements share a round trip.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Shorter than the statement timeout, so that callers behind slow statements do not add to them.
    connectionTimeoutMillis: connection_timeout_ms,
    statement_timeout: statement_timeout_ms,
    // The server ends slow statements before this. Silence until then means a dead connection.
    query_timeout: statement_timeout_ms + 2_000,
    idle_in_transaction_session_timeout: statement_timeout_ms,
    options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
  });
  // A closed pool does not wait for its connections to end. The embedded PostgreSQL that stops after it ends the remaining ones.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'an idle database connection broke'));
  // A connection in use emits errors too. Without a listener they would end the process (hazard H96).
  pool.on('connect', (client) => client.on('error', () => {}));
  const watch = watchPool(pool);
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  return {
    pg: pool,
    limitTenant: limitPerKey({
      per_key: Math.ceil(size / 2),
      patience: {
        ms: connection_timeout_ms,
        error: () => busyError('too many requests of the workspace are under way'),
      },
    }),
    limitLongWaits: limitPerKey({
      per_key: 1,
      in_all: Math.ceil(size / 2),
      // The client then gets a refusal and can try again.
      patience: { ms: statement_timeout_ms, error: () => busyError('too many transactions wait for locks') },
    }),
    announce(topics) {
      for (const listener of listeners) listener(topics);
    },
    onAnnounced: (listener) => void listeners.push(listener),
    query: (query) => runOn(pool, query),
    log,
    close() {
      watch.stop();
      return pool.end();
    },
  };
}
