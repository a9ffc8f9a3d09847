import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { CannotRun } from '../process/cannot-run.ts';

/** Connects without time limits. Rejects with CannotRun unless the database is PostgreSQL 15 or newer, in UTF-8. */
export async function connectToMigrate(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = await connect(connection);
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set jit = off');
    const { rows } = await client.query(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
              current_setting('server_encoding') as encoding`,
    );
    checkServer(rows[0]);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

interface DatabaseServer {
  number: number;
  version: string;
  encoding: string;
}

export function checkServer({ number, version, encoding }: DatabaseServer): void {
  if (number < 150_000) throw new CannotRun(`the database runs PostgreSQL ${version}; Majlis needs 15 or newer`);
  if (encoding !== 'UTF8') throw new CannotRun(`the database's encoding is ${encoding}; Majlis needs UTF8`);
}

const startingUp = '57P03';
const patienceMs = 30_000;

/** Waits for a server that is starting up, but not for a missing one: restarts are up to the process manager. */
async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10_000 });
    // Without a listener, a broken connection would end the process. Its query fails anyway.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      const mayPass = error instanceof pg.DatabaseError && error.code === startingUp && performance.now() < end;
      // Only DATABASE_URL gives a connection string.
      const setting = connection.connectionString === undefined ? '' : 'DATABASE_URL: ';
      if (!mayPass)
        throw new CannotRun(`${setting}the database cannot be reached: ${reasonOf(error)}`, { cause: error });
      await pause(250);
    }
  }
}

/** A host with several addresses fails with one error per address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
