import type pg from 'pg';
import type { Logger } from 'pino';
import { migrate } from '../database/migrate.ts';
import type { Config } from '../process/config.ts';

export interface Database {
  connection: pg.ClientConfig;
  /** The migrations that this call applied. */
  applied: string[];
  close(): Promise<void>;
}

/** Opens and migrates the database: that of DATABASE_URL, or the embedded one, which is started if it does not run. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    return { connection, applied: await migrate(connection, log), close: async () => {} };
  }
  // The import is lazy: with DATABASE_URL, the embedded packages may be missing.
  const { startEmbeddedPostgres } = await import('../database/embedded/start-embedded-postgres.ts');
  const settings = { max_connections: String(connectionsFor(config.databasePoolSize)) };
  const postgres = await startEmbeddedPostgres({ data_dir: config.dataDir, log, settings });
  try {
    return { connection: postgres.connection, applied: await migrate(postgres.connection, log), close: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** The connections of both pools, and some more for migrations and administrators. */
function connectionsFor(pool_size: number): number {
  return Math.max(100, 2 * pool_size + 20);
}
