import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import { lockClass } from './leases.ts';

/** The channel on which processes that only accept tell workers of new jobs; the payload lists kinds. */
export const notifyChannel = 'majlis_jobs';

interface RegisterWorker {
  pool: Pool;
  worker_id: number;
  log: Logger;
  onEnqueued: (kinds: ReadonlySet<string>) => void;
  onRegistered: () => void;
  onLost: () => void;
}

const reconnectAfterMs = 500;
// The connection only listens, so it is asked whether it still lives: nobody else would notice.
const pingEveryMs = 5_000;
const ping = { text: 'select 1', query_timeout: 2_000 };

// The session of an earlier connection that died without a word, on this side only: it would hold the lock for as long
// as the server does not notice.
const endPredecessor = `
  select pg_terminate_backend(l.pid) from pg_locks l
  where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted and l.pid <> pg_backend_pid()
    and l.database = (select oid from pg_database where datname = current_database())`;

/**
 * Holds the advisory lock by which others see that this worker lives, on a connection of its own that also listens
 * for new jobs. The lock dies with the process, so what a killed worker held is taken over within seconds and not
 * when its leases end.
 */
export async function registerWorker(options: RegisterWorker): Promise<{ end(): Promise<void> }> {
  let ended = false;
  let release: (() => void) | undefined;

  async function connect(): Promise<void> {
    const client = await options.pool.pg.connect();
    try {
      client.on('notification', ({ payload }) => options.onEnqueued(new Set(payload?.split(','))));
      await client.query('set statement_timeout = 0');
      await client.query(endPredecessor, [lockClass, options.worker_id]);
      await client.query('select pg_advisory_lock($1, $2)', [lockClass, options.worker_id]);
      await client.query(`listen ${notifyChannel}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (ended) return client.release(true);
    const watch = setInterval(() => client.query(ping).catch(() => {}), pingEveryMs);
    release = () => {
      clearInterval(watch);
      client.release(true);
    };
    client.once('error', () => {
      if (ended) return;
      release?.();
      release = undefined;
      options.onLost();
      void reconnect();
    });
    options.onRegistered();
  }
  async function reconnect(): Promise<void> {
    try {
      await connect();
    } catch (error) {
      options.log.debug({ err: error }, 'the worker could not be registered');
      if (!ended) setTimeout(reconnect, reconnectAfterMs);
    }
  }

  await connect();
  return {
    async end() {
      ended = true;
      release?.();
      release = undefined;
    },
  };
}
