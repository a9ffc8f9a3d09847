import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listContacts } from '../src/contacts/list-contacts.ts';
import { openTestPool } from './support/open-test-pool.ts';
import { rowsOf } from './support/plans.ts';
import { readAsApi } from './support/read-as-api.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const workspace_id = '00000000-0000-4000-8000-000000000001';
const hour = 3_600_000;
const latest = Date.parse('2026-11-20T10:00:00Z');
const count = 21;
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
// Two a day; each third was never active, and stands where it was created.
const found = Array.from({ length: 300 }, (_, n) => ({ id: nth(n), at: latest - n * 12 * hour, isActive: n % 3 > 0 }));
// In front of them all, so that a walk would be long.
const others = Array.from({ length: 700 }, (_, n) => ({ id: nth(1_000 + n), at: latest + (n + 1) * hour }));

before(async () => {
  await pool.pg.query(`insert into workspaces (id, name, created_at) values ($1, 'A', now())`, [workspace_id]);
  const people = [
    ...found.map((one) => ({ ...one, tag: 'found' })),
    ...others.map((one) => ({ ...one, tag: 'other' })),
  ];
  const rows = people.map(({ at, ...one }) => ({ isActive: true, ...one, at: new Date(at) }));
  await pool.pg.query(
    `insert into contacts (workspace_id, id, tags, last_activity_at, created_at)
     select $1, id, array[tag], case when "isActive" then at end, case when "isActive" then timestamptz '2020-01-01' else at end
     from json_to_recordset($2) as r (id uuid, tag text, at timestamptz, "isActive" boolean)`,
    [workspace_id, JSON.stringify(rows)],
  );
  await pool.pg.query(
    `insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
     select workspace_id, 'chatapp', '+9689' || row_number() over (order by id), id, created_at from contacts`,
  );
});

const page = (after?: { active_at: string; id: string }) =>
  readAsApi(pool, (connection) =>
    listContacts(connection, workspace_id, { patterns: [], tag: 'found' }, { after, count }),
  );

/** All of them, page by page. */
async function walk(): Promise<string[]> {
  const seen: string[] = [];
  for (let after: { active_at: string; id: string } | undefined; ; ) {
    const { result } = await page(after);
    seen.push(...result.map(({ id }) => id));
    const last = result.at(-1);
    if (!last || result.length < count) return seen;
    after = { active_at: last.active_at.toISOString(), id: last.id };
  }
}

const inOrder = (people: readonly { id: string; at: number }[]) =>
  people.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

describe('a search that finds more contacts than a page shows', () => {
  it('reads those of the page and of its last day, the first page and one far back alike', async () => {
    // The second to ask tries a walk.
    await page();
    await page();
    const { id, at } = found[150]!;
    for (const { nodes } of [await page(), await page({ active_at: new Date(at).toISOString(), id })]) {
      assert.equal(rowsOf(nodes, 'contact_search'), found.length);
      const read = rowsOf(nodes, 'contacts');
      assert.ok(read >= count && read <= count + 2 * 2, String(read));
    }
  });

  it('shows each once, latest activity first', async () => {
    assert.deepEqual(await walk(), inOrder(found));
  });

  it('follows who becomes active, who is so again, and who is as good as others of the same moment', async () => {
    const now = new Map(found.map(({ id, at }) => [id, at]));
    const moves = [
      ...found.slice(40, 60).map(({ id }, n) => ({ id, at: latest + n * 1_000 })),
      // Within its day, into the next one, far ahead.
      ...[1, 12, 24, 24 * 40].map((hours, n) => ({
        id: found[100 + n]!.id,
        at: found[100 + n]!.at + hours * hour,
      })),
      // Of one moment, more than a page of them, at the turn of a day.
      ...found.slice(200, 230).map(({ id }) => ({ id, at: Date.parse('2026-11-16T00:00:00Z') })),
    ];
    for (const { id, at } of moves) {
      now.set(id, at);
      await pool.pg.query('update contacts set last_activity_at = $2 where id = $1', [id, new Date(at)]);
    }
    assert.deepEqual(await walk(), inOrder([...now].map(([id, at]) => ({ id, at }))));
    const { rows } = await pool.pg.query(`
      select c.id from contacts c join contact_search s on s.workspace_id = c.workspace_id and s.contact_id = c.id
      where coalesce(c.last_activity_at, c.created_at) not between s.active_from and s.active_until
        or s.active_until - s.active_from <> case when c.last_activity_at is null then interval '0' else interval '24 hours' end`);
    assert.deepEqual(rows, []);
  });
});
