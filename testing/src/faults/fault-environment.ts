import path from 'node:path';
import { type Simulator, type SimulatorOptions, startSimulator } from '@majlis/simulator';
import pg from 'pg';
import { boundedConnection } from '../bounded-connection.ts';
import { cleanUp } from '../cleanup.ts';
import { databaseUrl } from '../database-url.ts';
import { endPool, type HeldTransaction, holdTransaction } from '../hold-transaction.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { makeFolder } from '../start-process.ts';
import { createTestDatabase } from '../test-database.ts';
import { createRestartableService, type RestartableService } from './restartable-service.ts';

/** A database and a platform. Both outlive the processes of the service. */
export interface FaultEnvironment {
  random: SeededRandom;
  simulator: Simulator;
  data_dir: string;
  majlis(env?: Record<string, string>): Promise<RestartableService>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** See `holdTransaction`. */
  hold(text: string): Promise<HeldTransaction>;
  database_url: string;
}

export interface FaultEnvironmentOptions {
  /** The seed of all random choices. The default is that of every test. */
  seed?: number;
  /** The database for the service (`url`) and for the test (`connection`). The default is a new database of the test server. */
  database?: { url: string; connection: pg.ClientConfig };
  /** The service starts its embedded PostgreSQL in DATA_DIR. */
  embedded?: boolean;
  simulator?: Partial<SimulatorOptions>;
  /** Answers the URL of another platform; by default it is the simulator's. */
  platform?: (simulator: Simulator) => Promise<string>;
}

/** Everything ends after the test file or suite that calls this. */
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
  cleanUp('the simulator', () => simulator.close());
  const given = options.embedded ? embeddedIn(data_dir) : options.database;
  const fresh = given ? undefined : await createTestDatabase();
  if (fresh) cleanUp('the database', () => fresh.drop());
  const connection = given?.connection ?? fresh!.connection;
  const database_url = given?.url ?? databaseUrl(connection);
  const api_url = (await options.platform?.(simulator)) ?? simulator.api_url;
  // The test writes even to a database that it has made read-only.
  const pool = new pg.Pool({
    ...boundedConnection(connection),
    max: 2,
    options: '-c default_transaction_read_only=off',
  });
  pool.on('error', () => {});
  cleanUp('the pool', () => endPool(pool));
  const running: RestartableService[] = [];
  cleanUp('the services', () => Promise.all(running.filter((one) => one.isRunning()).map((one) => one.kill())));
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
