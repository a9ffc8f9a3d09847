import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import { groupCommit } from '../database/group-commit.ts';
import type { Pool } from '../database/pool.ts';
import { whenDatabaseIsBack } from '../database/when-database-is-back.ts';
import type { Clock } from '../process/clock.ts';
import type { Metrics } from '../process/metrics.ts';
import { findKindsWithWork } from './claim-jobs.ts';
import { freeDeadWorkers } from './free-dead-workers.ts';
import type { Job, JobHandler } from './job.ts';
import { finish, type Retry, retry } from './queries.ts';
import { registerWorker } from './register-worker.ts';
import { runHandler } from './run-handler.ts';

export interface RunJobs {
  pool: Pool;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  handlers: readonly JobHandler[];
  lease_seconds: number;
}

export interface JobRunner {
  /** Claims jobs of these kinds, or of all, at once instead of at the next poll. */
  poke(kinds?: ReadonlySet<string>): void;
  /** Stops claiming and waits for the runs under way. */
  stop(): Promise<void>;
}

// Polling finds the jobs of other processes and those that have become due.
const pollEveryMs = 250;
const releaseEveryMs = 3_000;

/** Runs the jobs of these handlers until `stop`. Any number of processes may do so on one database. */
export async function runJobs({ pool, clock, log, metrics, handlers, lease_seconds }: RunJobs): Promise<JobRunner> {
  const worker_id = randomInt(1, 2 ** 31);
  // A job without a recorded outcome counts as interrupted. The fencing token allows a late or repeated record.
  const finishOnce = groupCommit(pool, (tx, jobs: Job[]) => finish(tx, jobs).then(() => jobs), {
    tenant_of: ({ group_id }) => group_id,
  });
  const retryOnce = groupCommit(pool, (tx, retries: Retry[]) => retry(tx, retries).then(() => retries), {
    tenant_of: ({ job }) => job.group_id,
  });
  const finishJob = (job: Job) => whenDatabaseIsBack(() => finishOnce(job), lease_seconds * 1000);
  const retryJob = (one: Retry) => whenDatabaseIsBack(() => retryOnce(one), lease_seconds * 1000);
  const loops = new Map(
    handlers.map((handler) => [
      handler.kind,
      runHandler({ handler, worker_id, lease_seconds, pool, clock, log, metrics, finishJob, retryJob }),
    ]),
  );

  function poke(kinds: ReadonlySet<string> = new Set(loops.keys())): void {
    for (const kind of kinds) loops.get(kind)?.poke();
  }
  let registered = false;
  const release = freeDeadWorkers({ pool, log, isRegistered: () => registered, onFreed: poke });
  const registration = await registerWorker({
    pool,
    worker_id,
    log,
    onEnqueued: poke,
    onRegistered() {
      registered = true;
      void release();
    },
    onLost() {
      registered = false;
    },
  });
  pool.onAnnounced(poke);
  let polling = false;
  let again = false;
  async function poll(): Promise<void> {
    // Polls of a slow database do not queue for connections.
    if (polling) return;
    polling = true;
    // While the database is away, each kind is claimed, so that its loop reports the failure.
    await findKindsWithWork(pool, [...loops.keys()], clock.now()).then(poke, () => poke());
    polling = false;
    if (again) await pollAgain();
  }
  /** A poll that begins after this call: one under way may have read an earlier time. */
  async function pollAgain(): Promise<void> {
    again = polling;
    if (!polling) await poll();
  }
  clock.onMove(() => void pollAgain());
  const timers = [setInterval(poll, pollEveryMs), setInterval(release, releaseEveryMs)];
  void poll();

  return {
    poke,
    async stop() {
      registered = false;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
      await registration.end();
    },
  };
}
