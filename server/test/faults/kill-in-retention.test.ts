import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { createPeople } from '@majlis/testing/faults/create-people';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { callOperator } from '@majlis/testing/operator';
import { untilIndexed } from '@majlis/testing/until-indexed';
import { withTrigger } from '@majlis/testing/with-trigger';

const customers = 12;
const kills = 3;

it('kill -9 while conversations expire leaves all of one or nothing, and the next process goes on', async () => {
  const environment = await createFaultEnvironment();
  const { majlis, workspace, name } = await startFaultService(environment, { ENFORCE_SCOPES: 'off' }, { customers });
  await createPeople(environment, majlis.url, workspace, 2);
  await untilIndexed(environment);
  await age(environment);
  const before = await countRows(environment);
  const whole = (left: Counts) =>
    new Set([...Object.keys(before), ...Object.keys(left)]).values().every((table) =>
      Object.keys({ ...before[table], ...left[table] }).every((id) => {
        return left[table]?.[id] === (left.messages?.[id] === undefined ? undefined : before[table]?.[id]);
      }),
    );
  const remaining = async () => Object.keys((await countRows(environment)).messages ?? {}).length;

  // Each one takes a while, so that a kill finds some of them done and one halfway.
  const slowly = { on: 'before delete on messages', body: 'perform pg_sleep(0.05); return old;' };
  await withTrigger(environment, slowly, async () => {
    const file = { workspace: { name }, retention: { conversation_days: 30 } };
    await callOperator(majlis.url, 'PUT', '/workspaces', file);
    for (let n = 0; n < kills; n++) {
      const there = await remaining();
      await eventually(remaining, (left) => left < there);
      await majlis.kill();
      const left = await countRows(environment);
      assert.ok(whole(left), JSON.stringify({ before, left }));
      assert.ok(Object.keys(left.messages!).length > 0, 'some are still to go');
      await majlis.start();
    }
  });
  await eventually(remaining, (left) => left === 0);
  await untilSettled(environment, majlis.url);
  assert.deepEqual(await countRows(environment), {});
  const [people] = await environment.sql<{ count: number }>('select count(*)::int as count from contacts');
  assert.equal(people!.count, customers);
});

/** A month passes over everything. */
async function age({ sql }: FaultEnvironment): Promise<void> {
  await sql(`update conversations set status = 'closed', last_message_at = last_message_at - interval '40 days'`);
  await sql(`update messages set created_at = created_at - interval '40 days'`);
  await sql(`update conversation_closings set closed_at = closed_at - interval '40 days'`);
  await sql(`update idempotency_keys set created_at = created_at - interval '40 days'`);
}

/** The number of rows of each conversation, by table. */
type Counts = Record<string, Record<string, number>>;

async function countRows({ sql }: FaultEnvironment): Promise<Counts> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'conversation_id' and table_name <> 'live_changes'`,
  );
  // One statement sees one moment.
  const rows = await sql<{ name: string; id: string; count: number }>(
    tables
      .map(
        ({ name }) => `select '${name}' as name, conversation_id as id, count(*)::int as count from ${name}
          where conversation_id is not null group by conversation_id`,
      )
      .join(' union all '),
  );
  const counts: Counts = {};
  for (const { name, id, count } of rows) counts[name] = { ...counts[name], [id]: count };
  return counts;
}
