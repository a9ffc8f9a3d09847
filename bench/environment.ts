import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseUrl } from '@majlis/testing/database-url';
import pg from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres } from '../server/src/database/embedded/start-embedded-postgres.ts';
import { migrate } from '../server/src/database/migrate.ts';
import { familyProcessorMs } from './processor-time.ts';
import { type BenchService, startBenchService } from './service.ts';

/** A database, a platform that accepts every send, and services on them. */
export interface BenchEnvironment {
  db: pg.Pool;
  connection: pg.ClientConfig;
  /** How long one figure is measured. */
  seconds: number;
  start(roles: string, settings?: Record<string, string>): Promise<BenchService>;
  /** Processor time from now on in ms: `[service, PostgreSQL]`, without the sessions of `db`. */
  measureCosts(service: BenchService): () => [number, number];
  /** Jobs in the queue. */
  jobsOf(kind: string): Promise<number>;
  untilNoJobs(kind: string, every_ms?: number): Promise<void>;
  count(sql: string): Promise<number>;
  /** What went over the platform's connections so far, both ways. */
  platformBytes(): Promise<number>;
  close(): Promise<void>;
}

// Ports of this run alone: several runs may be under way.
const port = 20_000 + 2 * (process.pid % 10_000);
const platform_port = port + 1;

/** `settings` override those of the embedded PostgreSQL. */
export async function createBenchEnvironment(
  seconds: number,
  settings: Record<string, string> = {},
): Promise<BenchEnvironment> {
  const data_dir = mkdtempSync(join(tmpdir(), 'majlis-bench-'));
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ data_dir, log, settings });
  const { connection } = postgres;
  await migrate(connection, log);
  const { db, sessions } = openSessions(connection);
  const platform = fork('bench/platform.ts', [String(platform_port)]);
  await new Promise((resolve) => platform.once('message', resolve));
  const database_url = databaseUrl(connection);
  const pidFile = globSync(`${data_dir}/postgres*/**/postmaster.pid`)[0]!;
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const running: BenchService[] = [];
  const count = async (sql: string) => Number((await db.query(sql)).rows[0].count);
  const jobsOf = (kind: string) => count(`select count(*) from jobs where kind = '${kind}'`);

  return {
    db,
    connection,
    seconds,
    async start(roles, settings = {}) {
      const service = await startBenchService({ database_url, data_dir, port, platform_port, roles, settings });
      running.push(service);
      return service;
    },
    measureCosts(service) {
      const ofPostgres = () => familyProcessorMs(postmaster, sessions);
      const before = { service: service.cpuMs(), postgres: ofPostgres() };
      return () => [service.cpuMs() - before.service, ofPostgres() - before.postgres];
    },
    jobsOf,
    async untilNoJobs(kind, every_ms = 50) {
      while ((await jobsOf(kind)) > 0) await setTimeout(every_ms);
    },
    count,
    async platformBytes() {
      platform.send('bytes');
      return (await once(platform, 'message'))[0];
    },
    async close() {
      await Promise.all(running.map((service) => service.stop()));
      platform.kill();
      await db.end();
      await postgres.stop();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/** Connections of the bench itself. They stay open and count no statements, so that their cost can be subtracted. */
function openSessions(connection: pg.ClientConfig): { db: pg.Pool; sessions: ReadonlySet<number> } {
  const sessions = new Set<number>();
  const options = '-c pg_stat_statements.track=none';
  const db = new pg.Pool({ ...connection, max: 16, idleTimeoutMillis: 0, options });
  db.on('error', () => {});
  db.on('connect', (client: pg.PoolClient & { processID?: number }) => void sessions.add(client.processID!));
  return { db, sessions };
}
