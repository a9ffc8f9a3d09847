import assert from 'node:assert/strict';
import { it } from 'node:test';
import { boundedConnection } from '@majlis/testing/bounded-connection';
import { cleanUp } from '@majlis/testing/cleanup';
import { databaseUrl } from '@majlis/testing/database-url';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import pg from 'pg';

it('is alive and not ready while another process migrates, and serves on the same connection afterwards', async () => {
  const { connection } = await startTemporaryPostgres();
  const environment = await createFaultEnvironment({ database: { url: databaseUrl(connection), connection } });
  const majlis = await environment.majlis();
  const migrating = new pg.Client(boundedConnection(connection));
  await migrating.connect();
  cleanUp('the lock', () => migrating.end());
  // "majlis" in ASCII: whoever migrates holds this lock.
  await migrating.query('select pg_advisory_lock($1::bigint)', [0x6d616a6c6973]);
  const ask = async (path: string) => fetch(majlis.url + path).catch(() => undefined);

  majlis.launch();
  await eventually(
    async () => (await ask('/healthz'))?.status,
    (status) => status === 200,
  );
  assert.equal((await ask('/readyz'))?.status, 503);
  for (const path of ['/v1/me', '/operator/clock', '/platform/chatapp/webhook', '/metrics']) {
    const answer = (await ask(path))!;
    assert.equal(answer.status, 503, path);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(((await answer.json()) as { code: string }).code, 'service_unavailable');
  }
  assert.equal(majlis.stdout(), '');

  const seen = new Set<unknown>();
  await migrating.end();
  await eventually(
    async () => {
      const answer = await ask('/readyz');
      seen.add(answer?.status);
      return answer?.status;
    },
    (status) => status === 200,
  );
  assert.ok(!seen.has(undefined), 'no connection is refused in between');
  assert.equal((await ask('/v1/me'))?.status, 401);
});
