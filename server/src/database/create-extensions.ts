import pg from 'pg';
import { CannotRun } from '../process/cannot-run.ts';

// The index of searched keys is made of both (000009_search).
const extensions = ['pg_trgm', 'btree_gin'];

/** Creates those that the database lacks. An owner of the database may, as both are trusted; of others an administrator is asked. */
export async function createExtensions(client: pg.Client): Promise<void> {
  try {
    for (const name of extensions) await client.query(`create extension if not exists ${name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const commands = extensions.map((name) => `create extension ${name};`).join(' ');
    throw new CannotRun(`${error.message}: let a superuser run in this database: ${commands}`, { cause: error });
  }
}
