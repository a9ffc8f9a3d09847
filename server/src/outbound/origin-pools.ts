import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { type ConnectorOptions, createConnector } from './create-connector.ts';
import { withCode } from './resolve-checked.ts';

export interface OriginPoolsOptions extends Omit<ConnectorOptions, 'allow_private'> {
  /** All connections together, idle ones included. */
  max_sockets: number;
  /** How long after its look-up a connection may be used again. */
  max_age_ms: number;
}

interface Entry {
  pool: Pool;
  in_use: number;
  last_used: number;
}

/**
 * Connections by origin, each to an address that was checked when it was made. A connection carries one request at a time, is
 * closed after 2 s without use and replaced after `max_age_ms`: reusing it needs no look-up, and no look-up is trusted for
 * longer. Where private addresses are allowed the connections are others than where they are not.
 */
export class OriginPools {
  #connect: { public: buildConnector.connector; private: buildConnector.connector };
  #max_sockets: number;
  #max_age_ms: number;
  #sockets = 0;
  #pools = new Map<string, Entry>();
  #underWay = new Set<Promise<unknown>>();
  #closed = false;
  #sweep = setInterval(() => this.#dropUnused(UNUSED_MS), UNUSED_MS).unref();

  constructor({ max_sockets, max_age_ms, ...options }: OriginPoolsOptions) {
    this.#max_sockets = max_sockets;
    this.#max_age_ms = max_age_ms;
    this.#connect = {
      public: this.#bound(createConnector({ ...options, allow_private: false })),
      private: this.#bound(createConnector({ ...options, allow_private: true })),
    };
  }

  /** Lends the pool of an origin for one call. */
  async use<T>(origin: string, allow_private: boolean, call: (dispatcher: Dispatcher) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(origin, allow_private ? 'private' : 'public');
    entry.in_use += 1;
    const result = call(entry.pool);
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
      entry.in_use -= 1;
      entry.last_used = performance.now();
    }
  }

  /** Waits for the calls under way, and not for connections that nobody waits for any more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    await Promise.allSettled(this.#underWay);
    await this.#dropUnused(0);
  }

  #entryOf(origin: string, kind: 'public' | 'private'): Entry {
    const key = `${kind} ${origin}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const entry = {
      pool: createPool(origin, this.#connect[kind], this.#max_age_ms),
      in_use: 0,
      last_used: performance.now(),
    };
    if (this.#closed) void entry.pool.destroy();
    else this.#pools.set(key, entry);
    return entry;
  }

  async #dropUnused(since_ms: number): Promise<void> {
    const latest = performance.now() - since_ms;
    const unused = [...this.#pools].filter(([, { in_use, last_used }]) => in_use === 0 && last_used <= latest);
    for (const [key] of unused) this.#pools.delete(key);
    await Promise.all(unused.map(([, { pool }]) => pool.destroy()));
  }

  /** All sockets of all origins together: unused ones make way for new ones, and beyond that no connection is made. */
  #bound(connect: buildConnector.connector): buildConnector.connector {
    return async (options, callback) => {
      if (this.#sockets >= this.#max_sockets) await this.#dropUnused(0);
      if (this.#sockets >= this.#max_sockets) return callback(withCode('EMFILE'), null);
      this.#sockets += 1;
      connect(options, (...[error, socket]) => {
        if (socket) socket.once('close', () => this.#sockets--);
        else this.#sockets -= 1;
        if (socket) callback(null, socket);
        else callback(error ?? withCode('ECONNABORTED'), null);
      });
    };
  }
}

const UNUSED_MS = 10_000;
// More than there are calls to one origin at once: a call that waits for another's connection waits for a stranger's trouble.
const CONNECTIONS_PER_ORIGIN = 256;

function createPool(origin: string, connect: buildConnector.connector, max_age_ms: number): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS_PER_ORIGIN,
    connect,
    clientTtl: max_age_ms,
    pipelining: 1,
    allowH2: false,
    // The deadline of the call is the only one: undici's count from one chunk to the next.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Soon enough that few servers close the connection first, just as it is written on.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
}
