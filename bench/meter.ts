import type { BenchEnvironment } from './environment.ts';
import { print } from './print.ts';
import type { BenchService } from './service.ts';

/** The cost of measured work. */
export interface Reading {
  seconds: number;
  /** Processor time, in milliseconds. */
  service_ms: number;
  postgres_ms: number;
  /** Without BEGIN and COMMIT. */
  statements: number;
  /** Transactions that wrote something. */
  commits: number;
  /** Of WAL, without the images of pages. */
  wal_bytes: number;
  /** PostgreSQL logs a whole page when it is first changed after a checkpoint. */
  image_bytes: number;
}

/** Settings of a PostgreSQL that counts statements. To count costs it some microseconds of processor time for each. */
export const countingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
};

/** Creates the extensions that `startMeter` reads. */
export async function prepareMeter({ db }: BenchEnvironment): Promise<void> {
  await db.query('create extension pg_stat_statements');
  await db.query('create extension pg_walinspect');
}

/**
 * Measures the service and PostgreSQL from now on. It begins with a checkpoint, so that each changed page counts with
 * its image once.
 */
export async function startMeter(
  { db, measureCosts }: BenchEnvironment,
  service: BenchService,
): Promise<() => Promise<Reading>> {
  const walEnd = async (): Promise<string> => (await db.query('select pg_current_wal_flush_lsn() as lsn')).rows[0].lsn;
  await db.query('checkpoint');
  await db.query('select pg_stat_statements_reset()');
  const from = await walEnd();
  // WAL without a record cannot be read.
  await db.query(`select pg_logical_emit_message(false, 'bench', '', true)`);
  const costs = measureCosts(service);
  const began = performance.now();
  return async () => {
    const [service_ms, postgres_ms] = costs();
    const seconds = (performance.now() - began) / 1000;
    const statements = await db.query(`
      select coalesce(sum(calls), 0)::int as count from pg_stat_statements where query !~* '^(begin|commit|rollback)$'`);
    const wal = await db.query(
      `select sum(record_size)::bigint as bytes, sum(fpi_size)::bigint as images,
         sum(count) filter (where "resource_manager/record_type" = 'Transaction/COMMIT')::bigint as commits
       from pg_get_wal_stats($1, $2, true)`,
      [from, await walEnd()],
    );
    const { bytes, images, commits } = wal.rows[0];
    return {
      seconds,
      service_ms,
      postgres_ms,
      statements: Number(statements.rows[0].count),
      commits: Number(commits),
      wal_bytes: Number(bytes),
      image_bytes: Number(images),
    };
  };
}

/** The reading without the cost of an idle service over the same time. */
export function lessRest(reading: Reading, rest: Reading): Reading {
  const share = reading.seconds / rest.seconds;
  const less = (name: keyof Reading) => reading[name] - rest[name] * share;
  return {
    seconds: reading.seconds,
    service_ms: less('service_ms'),
    postgres_ms: less('postgres_ms'),
    statements: less('statements'),
    commits: less('commits'),
    wal_bytes: less('wal_bytes'),
    image_bytes: less('image_bytes'),
  };
}

/** Prints the cost of each of `count` messages; `http_bytes` is the sum of both directions. */
export function printReading(what: string, reading: Reading, count: number, http_bytes?: number): void {
  const each = (name: keyof Reading, digits: number) => (reading[name] / count).toFixed(digits);
  print(what, `${count.toFixed(0)} in all, ${(count / reading.seconds).toFixed(0)}/s`);
  print('  processor time of the service, of PostgreSQL', `${each('service_ms', 3)}, ${each('postgres_ms', 3)} ms`);
  print('  statements, commits', `${each('statements', 2)}, ${each('commits', 2)}`);
  print('  WAL, images of pages besides', `${each('wal_bytes', 0)}, ${each('image_bytes', 0)} bytes`);
  if (http_bytes !== undefined) print('  HTTP, both ways', `${(http_bytes / count).toFixed(0)} bytes`);
}
