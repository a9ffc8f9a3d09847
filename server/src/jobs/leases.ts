import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Claim } from './claim-jobs.ts';

const noLock = `not exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.classid = $1 and l.objid = jobs.worker_id::oid and l.granted
    and l.database = (select oid from pg_database where datname = current_database()))`;

const selectDeadWorkers = statement<{ worker_id: number }>(`
  select distinct worker_id from jobs
  where worker_id is not null and leased_until > clock_timestamp() and ${noLock}`);

/** Finds workers that hold jobs without the advisory lock (`lockClass`, worker id) of a live worker. */
export async function findDeadWorkers(connection: Connection): Promise<number[]> {
  const rows = await selectDeadWorkers(connection, [lockClass]);
  return rows.map((row) => row.worker_id);
}

const releaseOfDeadWorkers = statement<{ kind: string }>(`
  update jobs set worker_id = null, leased_until = null
  where worker_id = any ($2::int[]) and leased_until > clock_timestamp() and ${noLock}
  returning kind`);

/** Frees the jobs of these workers, unless they have taken their locks again. Returns the kinds of the jobs. */
export async function releaseDead(connection: Connection, workers: readonly number[]): Promise<Set<string>> {
  const rows = await releaseOfDeadWorkers(connection, [lockClass, workers]);
  return new Set(rows.map((row) => row.kind));
}

const releaseNotRunning = statement(`
  update jobs set worker_id = null, leased_until = null, started_at = case when not $4 then started_at end
  where kind = $1 and worker_id = $2 and id <> all ($3::bigint[])`);

/**
 * Frees jobs that this worker claimed without receiving them, because the connection broke. None of them ran, so a `started_at`
 * of the claim is removed.
 */
export async function releaseLost(
  connection: Connection,
  {
    kind,
    worker_id,
    running,
    starts = false,
  }: Pick<Claim, 'kind' | 'worker_id' | 'starts'> & { running: readonly number[] },
): Promise<void> {
  await releaseNotRunning(connection, [kind, worker_id, running, starts]);
}

/** The first number of the advisory locks that live workers hold. */
export const lockClass = 20_001;
