import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { type ConnectorOptions, createConnector } from './create-connector.ts';
import { withCode } from './resolve-checked.ts';

export interface OriginPoolsOptions extends Omit<ConnectorOptions, 'allow_private'> {
  /** The bound of all connections, including idle ones. */
  max_sockets: number;
  /** The time after its look-up during which a connection may be reused. */
  max_age_ms: number;
}

interface Entry {
  pool: Pool;
  in_use: number;
  last_used: number;
}

/**
 * Pools connections by origin, each to an address that was checked when it was opened. A connection carries one request at a
 * time, closes after 2 s without use, and is replaced after `max_age_ms`, the validity of a look-up. Pools with and without
 * private addresses are separate.
 */
export class OriginPools {
  #connect: { public: buildConnector.connector; private: buildConnector.connector };
  #max_sockets: number;
  #max_age_ms: number;
  #sockets = 0;
  #pools = new Map<string, Entry>();
  #underWay = new Set<Promise<unknown>>();
  #closed = false;
  #sweep = setInterval(() => this.#dropUnused(unusedMs), unusedMs).unref();

  constructor({ max_sockets, max_age_ms, ...options }: OriginPoolsOptions) {
    this.#max_sockets = max_sockets;
    this.#max_age_ms = max_age_ms;
    this.#connect = {
      public: this.#bound(createConnector({ ...options, allow_private: false })),
      private: this.#bound(createConnector({ ...options, allow_private: true })),
    };
  }

  /** Provides the pool of an origin for one call. */
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

  /** Waits for the calls under way, but not for idle connections. */
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

  /** Bounds the sockets of all origins. A new connection closes an unused one; if none is unused, it fails. */
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

const unusedMs = 10_000;
// This exceeds the concurrent calls to one origin, so that no call waits for another tenant's connection.
const connectionsPerOrigin = 256;

function createPool(origin: string, connect: buildConnector.connector, max_age_ms: number): Pool {
  return new Pool(origin, {
    connections: connectionsPerOrigin,
    connect,
    clientTtl: max_age_ms,
    pipelining: 1,
    allowH2: false,
    // The call's own deadline replaces undici's timeouts, which count from chunk to chunk (hazard H28).
    headersTimeout: 0,
    bodyTimeout: 0,
    // This is short, so that few servers close a connection just before it is reused.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
}
