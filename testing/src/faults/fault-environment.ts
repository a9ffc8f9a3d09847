import path from 'node:path';
import { after } from 'node:test';
import { type Simulator, type SimulatorOptions, startSimulator } from '@majlis/simulator';
import pg from 'pg';
import { databaseUrl } from '../database-url.ts';
import { type HeldTransaction, holdTransaction } from '../hold-transaction.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { makeFolder } from '../start-process.ts';
import { createTestDatabase } from '../test-database.ts';
import { createRestartableService, type RestartableService } from './restartable-service.ts';

/** What the service stands between: a database and a platform, both of which outlive it. */
export interface FaultEnvironment {
  random: SeededRandom;
  simulator: Simulator;
  data_dir: string;
  majlis(env?: Record<string, string>): Promise<RestartableService>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the statement in a transaction that stays open, with its locks, until it is released. */
  hold(text: string): Promise<HeldTransaction>;
  database_url: string;
}

export interface FaultEnvironmentOptions {
  /** Of all that is left to chance; without it, FAULT_SEED or a new one. */
  seed?: number;
  /** Where the service finds its database, and how the test reads it; without it, a new one of the test server. */
  database?: { url: string; connection: pg.ClientConfig };
  /** The service brings its own database, in DATA_DIR. */
  embedded?: boolean;
  simulator?: Partial<SimulatorOptions>;
  /** Where the service finds the platform, where that is not the simulator itself. */
  platform?: (simulator: Simulator) => Promise<string>;
}

/** All of it is taken down after the test file, or after the suite that builds it. */
export async function createFaultEnvironment(options: FaultEnvironmentOptions = {}): Promise<FaultEnvironment> {
  const random = seededRandom(options.seed);
  const data_dir = await makeFolder();
  const simulator = await startSimulator({
    port: 0,
    seed: random.seed,
    delays: { sent_ms: 20, delivered_ms: 60, read_ms: 120, review_ms: 10 },
    ...options.simulator,
    switches: { retry_base_ms: 100, retry_max_ms: 500, webhook_timeout_ms: 5_000, ...options.simulator?.switches },
  });
  const given = options.embedded ? embeddedIn(data_dir) : options.database;
  const fresh = given ? undefined : await createTestDatabase();
  const connection = given?.connection ?? fresh!.connection;
  const database_url = given?.url ?? databaseUrl(connection);
  const api_url = (await options.platform?.(simulator)) ?? simulator.api_url;
  // The test writes whatever it makes of the database.
  const pool = new pg.Pool({ ...connection, max: 2, options: '-c default_transaction_read_only=off' });
  pool.on('error', () => {});
  const running: RestartableService[] = [];

  after(async () => {
    await Promise.all(running.filter((one) => one.isRunning()).map((one) => one.kill()));
    await simulator.close();
    await pool.end();
    await fresh?.drop();
  });
  return {
    random,
    simulator,
    data_dir,
    database_url,
    async majlis(env = {}) {
      const settings = { DATABASE_URL: database_url, DATA_DIR: data_dir, CHATAPP_API_URL: api_url };
      const majlis = await createRestartableService({ ...settings, ...env });
      running.push(majlis);
      return majlis;
    },
    sql: async (text, values) => (await pool.query(text, values)).rows,
    hold: (text) => holdTransaction(pool, text),
  };
}

function embeddedIn(data_dir: string): NonNullable<FaultEnvironmentOptions['database']> {
  const host = path.join(data_dir, 'postgresql', 'data');
  return { url: '', connection: { host, port: 5432, user: 'majlis', database: 'majlis' } };
}
