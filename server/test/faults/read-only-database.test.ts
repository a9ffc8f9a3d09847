import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { startLoad } from '@majlis/testing/faults/start-load';

it('a service whose database takes no writes says so with a code, and goes on when it does', async (t) => {
  const environment = await createFaultEnvironment();
  t.diagnostic(`seed ${environment.random.seed}`);
  const { majlis, workspace } = await startFaultService(environment);
  const load = startLoad(environment, majlis.url, workspace);
  const { sending } = load;
  const count = () => sending.acknowledged.length;
  await eventually(count, (sent) => sent > 20);

  await setReadOnly(environment, 'set default_transaction_read_only = on');
  // Sessions that were opened meanwhile never write again: the service has to give them up by itself.
  await endSessions(environment);
  await eventually(
    () => sending.answers['503 service_unavailable'] ?? 0,
    (refused) => refused > 50,
  );
  const before = count();
  await setReadOnly(environment, 'reset default_transaction_read_only');
  await eventually(count, (sent) => sent > before + 20);

  t.diagnostic(JSON.stringify({ ...(await load.finish()), answers: sending.answers }));
  assert.deepEqual(Object.keys(sending.answers).sort(), ['201', '503 service_unavailable']);
  assert.equal(majlis.stderr(), '');
});

async function setReadOnly({ sql }: FaultEnvironment, setting: string): Promise<void> {
  const [row] = await sql<{ name: string }>('select current_database() as name');
  await sql(`alter database ${row!.name} ${setting}`);
}

async function endSessions({ sql }: FaultEnvironment): Promise<void> {
  await sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
