import pg from 'pg';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A migrated database of its own, and the session of a superuser in it; both are gone after the test file. */
export async function openTestDatabase(): Promise<{ database: TestDatabase; admin: pg.Client }> {
  const database = await createTestDatabase();
  cleanUp('a database', () => database.drop());
  const admin = new pg.Client(database.connection);
  await admin.connect();
  // Its connection ends with the database.
  admin.on('error', () => {});
  cleanUp('a session', () => admin.end());
  return { database, admin };
}
