import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countPages } from '@majlis/testing/count-pages';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { type Claim, claim } from './claim-jobs.ts';
import { stage } from './stage-jobs.ts';

const kind = 'test.run';
const count = 20_000;
const now = new Date();
const later = new Date(now.getTime() + 3_600_000);
const pool = await openTestPool({ size: 2, statement_timeout_ms: 60_000 });
const query = (text: string, values: unknown[] = []) => pool.query({ text, values });

/** Expressions of the number `n` of the job. */
interface Columns {
  group?: string;
  tenant?: string;
  queue_key?: string;
  run_at?: Date;
  many?: number;
}

const uuid = (number: string) => `lpad(to_hex(${number}), 32, '0')::uuid`;
const insertMany = ({
  group = uuid('1'),
  tenant = 'null',
  queue_key = 'null::uuid',
  run_at = now,
  many = count,
}: Columns) =>
  query(
    `insert into jobs (kind, group_id, tenant_id, queue_key, payload, run_at)
     select $1, ${group}, ${tenant}::uuid, ${queue_key}, '', $2 from generate_series(1, $3::int) n`,
    [kind, run_at, many],
  );
const claims: Claim = {
  ...{ kind, now, slots: 4, group_concurrency: 2, under_way: {}, after_group: undefined },
  ...{ worker_id: 7, lease_seconds: 3_600 },
};

const eachGroup = uuid('n');
const ofThousandKeys = uuid('n % 1000');

/** What waits, and how many jobs of it can be claimed all the same. */
const shapes: { title: string; claimable: number; fill: () => Promise<unknown> }[] = [
  {
    title: 'jobs of one queue key behind one that is leased',
    claimable: 0,
    async fill() {
      await insertMany({ queue_key: uuid('1'), many: 1 });
      await claim(pool, claims);
      await insertMany({ queue_key: uuid('1') });
    },
  },
  {
    title: 'jobs of one queue key behind one that is put off',
    claimable: 0,
    async fill() {
      await insertMany({ queue_key: uuid('1'), run_at: later, many: 1 });
      await insertMany({ queue_key: uuid('1') });
    },
  },
  {
    title: 'jobs of a thousand queue keys, each behind one that is put off',
    claimable: 0,
    async fill() {
      await insertMany({ queue_key: ofThousandKeys, run_at: later, many: 1_000 });
      await insertMany({ queue_key: ofThousandKeys });
    },
  },
  { title: 'jobs of one group for later', claimable: 0, fill: () => insertMany({ run_at: later }) },
  { title: 'groups with a job for later', claimable: 0, fill: () => insertMany({ group: eachGroup, run_at: later }) },
  {
    title: 'paused groups',
    claimable: 0,
    async fill() {
      await insertMany({ group: eachGroup });
      await query(
        `insert into job_groups (kind, group_id, paused_until)
         select $1, ${eachGroup}, $2 from generate_series(1, $3::int) n`,
        [kind, later, count],
      );
    },
  },
  { title: 'due jobs of one group', claimable: 2, fill: () => insertMany({}) },
  { title: 'groups with a due job', claimable: 4, fill: () => insertMany({ group: eachGroup }) },
];

describe('a claim reads a few pages, with 20,000', () => {
  for (const { title, claimable, fill } of shapes) {
    it(title, async () => {
      await query('truncate jobs, job_groups, queue_checks');
      await fill();
      await stageAll();
      // A session takes dead rows of its indexes for needed while a transaction of another database, as of another test, is long.
      await query('vacuum jobs');
      // The last group has work all the same.
      await insertMany({ group: `'ffffffff-0000-4000-8000-000000000000'`, many: 2 });
      const { jobs } = await claim(pool, claims);
      assert.equal(jobs.length, Math.min(claimable + 2, claims.slots));
      await query('update jobs set leased_until = null where id = any ($1::bigint[])', [jobs.map(({ id }) => id)]);
      const buffers = await countPages(pool, (connection) => claim(connection, claims));
      assert.ok(buffers < 250, `${buffers} pages`);
    });
  }
});

it('a claim reads a few pages, with 20,000 groups of tenants whose places are taken', async () => {
  await query('truncate jobs, job_groups, queue_checks');
  await insertMany({ group: eachGroup, tenant: uuid('n % 20 + 1') });
  await insertMany({ group: uuid('7'), tenant: uuid('77'), many: 2 });
  const ids = (await query(`select distinct tenant_id as id from jobs where tenant_id <> ${uuid('77')}`)) as {
    id: string;
  }[];
  const tenants = { left: Object.fromEntries(ids.map(({ id }) => [id, 0])), each: 4, after_groups: {} };
  const { jobs } = await claim(pool, { ...claims, tenants });
  assert.equal(jobs.length, 2);
  await query('update jobs set leased_until = null where id = any ($1::bigint[])', [jobs.map(({ id }) => id)]);
  const buffers = await countPages(pool, (connection) => claim(connection, { ...claims, tenants }));
  assert.ok(buffers < 250, `${buffers} pages`);
});

/** As workers do: in portions, until none is left to move. */
async function stageAll(): Promise<void> {
  let moved = 1;
  while (moved > 0) {
    const { staging } = await claim(pool, { ...claims, slots: 0 });
    moved = await stage(pool, kind, now, staging);
  }
}

it('the end of jobs reads their own queue keys alone, also in a session that was used while the table was empty', async () => {
  await query('truncate jobs, queue_checks');
  const firstOf = async (most: number) => {
    const rows = await pool.query<{ id: number }>({ text: 'select id from jobs order by id limit $1', values: [most] });
    return rows.map(({ id }) => id);
  };
  const client = await pool.pg.connect();
  const rowsRead = async (): Promise<number> => {
    const { rows } = await client.query(
      `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as read from pg_stat_xact_user_tables where relname = 'jobs'`,
    );
    return rows[0].read;
  };
  const end = (ids: unknown[]) => client.query('delete from jobs where id = any ($1::bigint[])', [ids]);
  try {
    // A function keeps its plan after some calls.
    await insertMany({ queue_key: uuid('n'), many: 20 });
    await end(await firstOf(20));
    await insertMany({ queue_key: uuid('n') });
    const ids = await firstOf(100);
    await client.query('begin');
    // PostgreSQL counts on from statements before.
    const before = await rowsRead();
    await end(ids);
    const read = (await rowsRead()) - before;
    assert.ok(read < 1_000, `it read ${read} rows of 20,000`);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
