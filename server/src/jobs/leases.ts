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

/** Workers that hold jobs, but not the advisory lock (`lockClass`, worker id) that each live one holds for its session. */
export async function findDeadWorkers(connection: Connection): Promise<number[]> {
  const rows = await selectDeadWorkers(connection, [lockClass]);
  return rows.map((row) => row.worker_id);
}

const releaseOfDeadWorkers = statement<{ kind: string }>(`
  update jobs set worker_id = null, leased_until = null
  where worker_id = any ($2::int[]) and leased_until > clock_timestamp() and ${noLock}
  returning kind`);

/** Frees what these workers held, save those that live after all; answers the kinds of these jobs. */
export async function releaseDead(connection: Connection, workers: readonly number[]): Promise<Set<string>> {
  const rows = await releaseOfDeadWorkers(connection, [lockClass, workers]);
  return new Set(rows.map((row) => row.kind));
}

const releaseNotRunning = statement(`
  update jobs set worker_id = null, leased_until = null, started_at = case when not $4 then started_at end
  where kind = $1 and worker_id = $2 and id <> all ($3::bigint[])`);

/**
 * Frees what this worker claimed and never heard of, because the connection broke before the answer came. None of it was
 * run, so where the claim `starts` jobs these have not started.
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
