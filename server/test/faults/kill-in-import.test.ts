import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import type { AnyJson } from '@majlis/testing/json';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { publicId } from '../../src/database/ids.ts';

/** IMPORT_ROWS=200000 is the most that a file may have. */
const rowsTotal = Number(process.env.IMPORT_ROWS ?? 6_000);
const kills = 3;
/** Every so many rows, one is left out. */
const leftOutEvery = 100;

it('an import goes on after kill -9 at any moment: each row is imported once, or left out once', async (t) => {
  const environment = await createFaultEnvironment();
  const { random, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const { majlis, name } = await startFaultService(environment, { RATE_LIMITS: 'off' });
  const [row] = await sql<{ id: string }>('select id from workspaces');
  const operator = (method: string, path: string, body?: unknown) => requestOperator(majlis.url, method, path, body);
  const member = await joinWorkspace(
    { url: majlis.url, operator },
    { id: publicId('workspace', row!.id), applied: { workspace: { name } } },
    { role: 'supervisor' },
  );
  const before = await countContacts();
  const created = await member.at('POST', '/contact-imports', {
    file_name: 'a.csv',
    header: ['Phone'],
    rows_total: rowsTotal,
  });
  const path = `/contact-imports/${created.body.id}`;
  for (let from = 0; from < rowsTotal; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, rowsTotal - from) }, (_, at) => rowOf(from + at));
    assert.equal((await member.at('POST', `${path}/rows`, { rows })).status, 200);
  }
  assert.equal((await member.at('POST', `${path}/start`)).status, 200);

  for (let n = 0; n < kills; n++) {
    await pause(random.next() * 600);
    await majlis.kill();
    await majlis.start();
  }
  const done = await eventually(
    async () => (await member.at('GET', '/contact-imports')).body.data?.[0] as AnyJson,
    (state) => state?.status === 'done',
    60_000 + 5 * rowsTotal,
  );
  const left_out = rowsTotal / leftOutEvery;
  t.diagnostic(JSON.stringify({ kills, ...done }));
  assert.deepEqual(
    [done.rows_done, done.created, done.updated, done.left_out],
    [rowsTotal, rowsTotal - left_out, 0, left_out],
    'a row that was imported twice would count as changed',
  );
  assert.equal((await countContacts()) - before, rowsTotal - left_out);
  const kept = await sql<{ count: number }>('select count(*)::int as count from contact_import_rows');
  assert.equal(kept[0]!.count, left_out);
  const jobs = await sql(`select from jobs where kind = 'contacts.import_chunk'`);
  assert.equal(jobs.length, 0);

  async function countContacts(): Promise<number> {
    return (await sql<{ count: number }>('select count(*)::int as count from contacts'))[0]!.count;
  }
});

function rowOf(line: number) {
  const number = line % leftOutEvery === 0 ? '12' : `+9689${2_000_000 + line}`;
  return { line, contact: { identities: [{ channel_type: 'chatapp', identifier: number }] }, cells: [number] };
}
