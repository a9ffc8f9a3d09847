import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import { listContacts } from '../src/contacts/list/list-contacts.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const workspace_id = '00000000-0000-4000-8000-000000000001';
const minute = 60_000;
const hour = 60 * minute;
const latest = Date.parse('2026-11-20T10:00:00Z');
const count = 21;
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
// Two a day; each third was never active, and stands where it was created.
const found = Array.from({ length: 500 }, (_, n) => ({ id: nth(n), at: latest - n * 12 * hour, isActive: n % 3 > 0 }));
// In front of them all, so that a walk would be long.
const others = Array.from({ length: 700 }, (_, n) => ({ id: nth(1_000 + n), at: latest + (n + 1) * minute }));

interface Person {
  id: string;
  at: number;
  isActive?: boolean;
}

before(async () => {
  await pool.pg.query(`insert into workspaces (id, name, created_at) values ($1, 'A', now())`, [workspace_id]);
  await make(found, ['found']);
  await make(others, ['other']);
});

async function make(people: readonly Person[], tags: readonly string[]): Promise<void> {
  const rows = people.map(({ at, ...one }) => ({ isActive: true, ...one, at: new Date(at) }));
  await pool.pg.query(
    `insert into contacts (workspace_id, id, tags, last_activity_at, created_at)
     select $1, id, $3, case when "isActive" then at end, case when "isActive" then timestamptz '2020-01-01' else at end
     from json_to_recordset($2) as r (id uuid, at timestamptz, "isActive" boolean)`,
    [workspace_id, JSON.stringify(rows), tags],
  );
  await pool.pg.query(
    `insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
     select $1, 'chatapp', '+9689' || right(id::text, 8), id, now() from unnest($2::uuid[]) as id`,
    [workspace_id, people.map(({ id }) => id)],
  );
}

const page = (after?: { active_at: string; id: string }, tag = 'found', rows = count) =>
  readAsApi(pool, (connection) =>
    listContacts(connection, workspace_id, { patterns: [], tag }, { after, count: rows }),
  );

/** All of them, page by page. */
async function walk(tag?: string): Promise<string[]> {
  const seen: string[] = [];
  for (let after: { active_at: string; id: string } | undefined; ; ) {
    const { result } = await page(after, tag);
    seen.push(...result.map(({ id }) => id));
    const last = result.at(-1);
    if (!last || result.length < count) return seen;
    after = { active_at: last.active_at.toISOString(), id: last.id };
  }
}

const inOrder = (people: readonly Person[]) =>
  people.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

describe('a search that finds more contacts than a page shows', () => {
  it('looks at those of the weeks that fill the page, and reads those of the page and of its days, first and far back', async () => {
    const { id, at } = found[150]!;
    const after = { active_at: new Date(at).toISOString(), id };
    for (const { rows, weeks } of [
      { rows: 20, weeks: 2 },
      { rows: 26, weeks: 3 },
      { rows: 60, weeks: 5 },
    ]) {
      // The first to ask looks at all.
      await page(undefined, 'found', rows);
      for (const from of [undefined, after]) {
        const { nodes } = await page(from, 'found', rows);
        const matched = rowsOf(nodes, 'contact_search');
        assert.ok(matched >= rows && matched <= weeks * 7 * 2, `${matched} of ${rows}`);
        const read = rowsOf(nodes, 'contacts');
        assert.ok(read >= rows && read <= rows + (from ? 2 : 0) + 1 + 1, `${read} of ${rows}`);
        assert.deepEqual(scansOf(nodes), []);
      }
    }
  });

  it('shows each once, latest activity first', async () => {
    assert.deepEqual(await walk(), inOrder(found));
  });

  it('shows all who were made in one moment and never wrote', async () => {
    const imported = Array.from({ length: 30 }, (_, n) => ({ id: nth(9_000 + n), at: latest - hour, isActive: false }));
    await make(imported, ['imported']);
    for (let time = 0; time < 2; time++) assert.deepEqual(await walk('imported'), inOrder(imported));
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
    await pool.pg.query(`update contacts set tags = tags || '{more}' where tags = '{found}'`);
    for (const { id, at } of moves) {
      now.set(id, at);
      await pool.pg.query('update contacts set last_activity_at = $2 where id = $1', [id, new Date(at)]);
    }
    assert.deepEqual(await walk(), inOrder([...now].map(([id, at]) => ({ id, at }))));
    const { rows } = await pool.pg.query(`
      select c.id from contacts c join contact_search s on s.workspace_id = c.workspace_id and s.contact_id = c.id
      where coalesce(c.last_activity_at, c.created_at) not between s.active_from and s.active_until
        or s.active_until - s.active_from <> case when c.last_activity_at is null then interval '0' else interval '24 hours' end
        or s.channel_types <> array[week_mark(week_of(coalesce(c.last_activity_at, c.created_at))), 'chatapp']`);
    assert.deepEqual(rows, []);
  });

  it('takes none for one of the latest, and misses none of them, who has more tags than are indexed', async () => {
    const day = 24 * hour;
    // A page of the latest of a month, or of a week; then one is none of them. Others are older, one of whom has the most tags.
    for (const { tag, first, apart, olderDays, mostDays } of [
      { tag: 'much', first: 3_000, apart: day, olderDays: 100, mostDays: 200 },
      { tag: 'many', first: 6_000, apart: hour, olderDays: 12, mostDays: 15 },
    ]) {
      const person = (n: number, at: number): Person => ({ id: nth(first + n), at });
      const latestOnes = Array.from({ length: count }, (_, n) => person(n, latest - n * apart));
      const older = Array.from({ length: 500 }, (_, n) => person(100 + n, latest - olderDays * day - n * minute));
      const ancient = Array.from({ length: 600 }, (_, n) => person(1_000 + n, latest - 300 * day - n * hour));
      const most = person(2_000, latest - mostDays * day);
      await make([...latestOnes, ...older, ...ancient], [tag]);
      await make([most], [tag, ...Array.from({ length: 250 }, (_, n) => `tag ${n}`)]);
      const everyone = inOrder([...latestOnes, ...older, ...ancient, most]);
      assert.deepEqual(await walk(tag), everyone);
      await pool.pg.query(`update contacts set tags = '{}' where id = $1`, [everyone.shift()]);
      for (let time = 0; time < 2; time++) assert.deepEqual(await walk(tag), everyone);
      // One more than a page of the latest, of whom none may be missed.
      const [more, again] = [person(2_100, latest), person(2_101, latest - 1)];
      await make([more, again], [tag]);
      everyone.unshift(more.id, again.id);
      for (const tags of [0, 3, 250]) {
        await pool.pg.query(
          `update contacts set tags = array(select 'tag ' || n from generate_series(1, $2) n) || $3::text where id = $1`,
          [more.id, tags, tag],
        );
        for (let time = 0; time < 2; time++) assert.deepEqual(await walk(tag), everyone);
      }
    }
  });
});
