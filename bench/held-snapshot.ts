import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { openPool, type Pool } from '../server/src/database/pool.ts';
import { claim, findOldestReady } from '../server/src/jobs/claim-jobs.ts';
import { lowWatermark } from '../server/src/jobs/low-watermark.ts';
import { finish, insertJobs } from '../server/src/jobs/queries.ts';
import type { BenchEnvironment } from './environment.ts';
import { print, ratio } from './print.ts';

const kind = 'bench.snapshot';
const groups = Array.from({ length: 32 }, () => randomUUID());
const atOnce = 256;

/** Jobs that come and go, as they do at any time and after 40,000 of them under a snapshot that is held, as by `pg_dump`. */
export async function measureHeldSnapshot({ connection, db }: BenchEnvironment): Promise<void> {
  const pool = openPool({ connection, size: 2, statement_timeout_ms: 5_000, log: pino({ level: 'silent' }) });
  const work = worker(pool);
  await work(10_000);
  const free = await work(20_000);
  const holder = await db.connect();
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from jobs');
  await work(40_000);
  const held = await work(20_000);
  await holder.query('rollback');
  holder.release();
  await pool.close();
  print('jobs claimed and finished by one loop', `${free.toFixed(0)}/s`);
  print('  with 40,000 gone under a snapshot that is held', `${held.toFixed(0)}/s, ratio ${ratio(held, free)}`);
}

/** Answers how many jobs a second are enqueued, claimed and finished. */
function worker(pool: Pool): (count: number) => Promise<number> {
  const fromWatermark = lowWatermark(async () => (await findOldestReady(pool, kind)) ?? new Date());
  return async (count) => {
    const from = performance.now();
    for (let done = 0; done < count; ) {
      const now = new Date();
      const job = (n: number) => ({ kind, group_id: groups[n % groups.length]!, payload: '', run_at: now });
      await insertJobs(
        pool,
        Array.from({ length: atOnce }, (_, n) => job(n)),
      );
      const { jobs } = await fromWatermark((since) =>
        claim(pool, {
          ...{ kind, now, since, slots: atOnce, group_concurrency: atOnce, under_way: {}, after_group: groups[0]! },
          ...{ worker_id: 7, lease_seconds: 30 },
        }),
      );
      await finish(pool, jobs);
      done += jobs.length;
    }
    return count / ((performance.now() - from) / 1000);
  };
}
