import assert from 'node:assert/strict';
import { it } from 'node:test';
import { databaseUrl } from '@majlis/testing/database-url';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';

it('services that start together on an empty database migrate it once, and all come up', async () => {
  const { connection } = await startTemporaryPostgres();
  const environment = await createFaultEnvironment({ database: { url: databaseUrl(connection), connection } });
  const services = await Promise.all([1, 2, 3].map(() => environment.majlis()));
  await Promise.all(services.map((majlis) => majlis.start()));
  const migrations = await environment.sql<{ version: number }>('select version from schema_migrations');
  assert.equal(new Set(migrations.map(({ version }) => version)).size, migrations.length);
  assert.ok(migrations.length > 0);
  for (const majlis of services) assert.equal(majlis.stderr(), '');
});
