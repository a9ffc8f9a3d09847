import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import { notifyChannel } from './register-worker.ts';

// A NOTIFY in each transaction halves the throughput. One per interval for all of them costs nothing.
const gatherMs = 20;

/** Notifies the workers of other processes of the jobs that this process has committed. */
export function notifyWorkers(pool: Pool, log: Logger): void {
  const kinds = new Set<string>();
  pool.onAnnounced((topics) => {
    if (kinds.size === 0) setTimeout(notify, gatherMs);
    for (const topic of topics) kinds.add(topic);
  });

  function notify(): void {
    const payload = [...kinds].join(',');
    kinds.clear();
    pool
      .query({ text: 'select pg_notify($1, $2)', values: [notifyChannel, payload] })
      .catch((error) => log.debug({ err: error }, 'workers could not be notified; they poll'));
  }
}
