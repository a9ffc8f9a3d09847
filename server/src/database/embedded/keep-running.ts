import type { Logger } from 'pino';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { addressOf } from './choose-address.ts';
import type { Cluster } from './cluster.ts';
import { launchPostmaster } from './launch-postmaster.ts';
import { isAlive, type Postmaster, stopPostmaster } from './postmaster.ts';

export interface KeepRunning {
  cluster: Cluster;
  running: Postmaster;
  settings: Record<string, string>;
  log: Logger;
}

const lookEveryMs = 1_000;
// This is below the 15 s in which a service must exit. A longer checkpoint ends by itself, and the next start waits for it.
const stopPatienceMs = 10_000;

/** Restarts PostgreSQL at the same address when its main process dies. */
export function keepRunning({ cluster, running, settings, log }: KeepRunning) {
  let current = running;
  let stopped = false;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    if (await isAlive(cluster.path, current.pid)) return;
    log.error({ postgres_pid: current.pid }, 'the embedded PostgreSQL died; it is started again');
    const address = addressOf(running);
    current = (await adoptPostmaster(cluster, log)) ?? (await launchPostmaster({ cluster, address, settings, log }));
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error) => log.error({ err: error }, 'the embedded PostgreSQL did not start again'))
      .finally(() => {
        looking = undefined;
      });
  }, lookEveryMs).unref();

  return {
    pid: () => current.pid,
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
      if (stopped) return;
      stopped = true;
      if (!(await stopPostmaster(cluster.path, current.pid, stopPatienceMs))) {
        log.warn({ postgres_pid: current.pid }, 'the embedded PostgreSQL is still shutting down');
      }
    },
  };
}
