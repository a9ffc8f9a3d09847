import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import type { ConversationFilter, Position } from '../src/conversations/list/conversation-filter.ts';
import { listConversations } from '../src/conversations/list/list-conversations.ts';
import type { Connection } from '../src/database/pool.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const workspace_id = '00000000-0000-4000-8000-000000000001';
const minute = 60_000;
const hour = 60 * minute;
const latest = Date.parse('2026-11-20T10:00:00Z');
const now = new Date(latest);
const count = 21;
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;

interface Talk {
  id: string;
  at: number;
  name: string;
  status: 'open' | 'closed';
  isSnoozed: boolean;
}
// Two a day, one in sixteen open, one in ten snoozed.
const found: Talk[] = Array.from({ length: 500 }, (_, n) => ({
  ...{ id: nth(n), at: latest - n * 12 * hour, name: 'found' },
  ...{ status: n % 16 === 0 ? 'open' : 'closed', isSnoozed: n % 10 === 4 },
}));
// In front of them all, so that a walk would be long.
const others: Talk[] = Array.from({ length: 700 }, (_, n) => ({
  ...{ id: nth(1_000 + n), at: latest + (n + 1) * minute, name: 'other' },
  ...{ status: n % 8 ? 'open' : 'closed', isSnoozed: false },
}));

before(async () => {
  await pool.pg.query(fillWorkspace(workspace_id, `timestamptz '2026-01-01'`));
  await make([...found, ...others]);
});

/** Each with a contact of its name, and a tag of the same. */
async function make(talks: readonly Talk[], moreTags: readonly string[] = []): Promise<void> {
  const rows = JSON.stringify(talks.map(({ at, ...talk }) => ({ ...talk, at: new Date(at) })));
  await pool.pg.query(
    `insert into contacts (workspace_id, id, name, name_folded, tags, created_at)
     select $1, id, name, name, name || $3::text[], timestamptz '2026-01-01' from json_to_recordset($2) as r (id uuid, name text)`,
    [workspace_id, rows, moreTags],
  );
  await pool.pg.query(
    `insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, snoozed_until, last_message_at,
       created_at)
     select $1, id, id, $1, 'chatapp', status, case when "isSnoozed" then timestamptz '2030-01-01' end, at, timestamptz '2026-01-01'
     from json_to_recordset($2) as r (id uuid, status text, at timestamptz, "isSnoozed" boolean)`,
    [workspace_id, rows],
  );
}

const page = (filter: ConversationFilter, after?: Position, rows = count) =>
  readAsApi(pool, (connection) => listConversations(connection, workspace_id, filter, { now, after, count: rows }));

/** All of them, page by page. */
async function walk(filter: ConversationFilter): Promise<string[]> {
  const seen: string[] = [];
  for (let after: Position | undefined; ; ) {
    const { result } = await page(filter, after);
    seen.push(...result.map(({ id }) => id));
    const last = result.at(-1);
    if (!last || result.length < count) return seen;
    after = { last_message_at: last.last_message_at.toISOString(), id: last.id };
  }
}

const inOrder = (talks: readonly Talk[]) =>
  talks
    .filter(({ isSnoozed }) => !isSnoozed)
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);

describe('a search that finds more conversations than a page shows', () => {
  it('looks at those of the weeks that fill the page and reads those of its days, on the first page and far back', async () => {
    const { id, at } = found[150]!;
    const after = { last_message_at: new Date(at).toISOString(), id };
    for (const { search, rows, weeks } of [
      { search: { q: 'found' }, rows: 15, weeks: 2 },
      { search: { q: 'found' }, rows: 60, weeks: 6 },
      { search: { tag: 'found' }, rows: 15, weeks: 2 },
      { search: { tag: 'found' }, rows: 26, weeks: 3 },
      { search: { tag: 'found' }, rows: 60, weeks: 6 },
      { search: { q: 'found', tag: 'found' }, rows: 15, weeks: 2 },
      // Of two letters the index knows no weeks.
      { search: { q: 'fo' }, rows: 15, weeks: 2 },
    ]) {
      // The first to ask looks at all.
      await page(search, undefined, rows);
      for (const from of [undefined, after]) {
        const { nodes } = await page(search, from, rows);
        const matched = rowsOf(nodes, 'conversation_search');
        assert.ok(matched >= rows && matched <= weeks * 7 * 2, `${matched} of ${rows}`);
        // What is left of the first day and of the last, and the latest of each status, which tells the week.
        const read = rowsOf(nodes, 'conversations');
        assert.ok(read >= rows && read <= Math.ceil(1.25 * rows) + (from ? 2 : 0) + 1 + 2, `${read} of ${rows}`);
        assert.deepEqual(scansOf(nodes), []);
      }
    }
  });

  it('shows each once, latest first, with other filters and without', async () => {
    for (const search of [{ q: 'found' }, { tag: 'found' }, { q: 'oun', tag: 'found' }]) {
      assert.deepEqual(await walk(search), inOrder(found));
      for (const status of ['open', 'closed'] as const) {
        const talks = found.filter((talk) => talk.status === status);
        assert.deepEqual(await walk({ ...search, status }), inOrder(talks));
      }
    }
    // Of those that are not open none is read. And the latest of each status, which tells the week.
    await page({ q: 'found', status: 'open' });
    const { nodes } = await page({ q: 'found', status: 'open' });
    assert.ok(rowsOf(nodes, 'conversations') <= 1.25 * count + 2 + 2, `${rowsOf(nodes, 'conversations')} rows`);
  });

  it('takes no tag for a filter, though it is written like one', async () => {
    const [pretending, honest] = found.slice(0, 2).map((talk, n) => ({ ...talk, id: nth(9_900 + n), name: 'posing' }));
    const tag = '\u001fstatus closed';
    await make([pretending!], [tag]);
    await make([honest!]);
    const [first, ...others] = inOrder([pretending!, honest!]);
    for (const time of [0, 1]) {
      assert.deepEqual(await walk({ q: 'posing', status: 'open' }), [first], `${time}`);
      assert.deepEqual(await walk({ q: 'posing', status: 'closed' }), others);
      assert.deepEqual(await walk({ tag }), [pretending!.id]);
    }
  });

  it('has a connection to itself at first, and again when it took long', async (t) => {
    let took = 0;
    const sharers: (string | undefined)[] = [];
    const watched: Connection = {
      query(query) {
        sharers.push(query.sharer);
        return pool.query(query);
      },
    };
    t.mock.method(performance, 'now', () => sharers.length * took);
    const ask = async () => {
      sharers.length = 0;
      await listConversations(watched, workspace_id, { q: 'foun' }, { now, after: undefined, count });
      return [...new Set(sharers)];
    };
    assert.deepEqual(await ask(), [undefined]);
    took = 100;
    assert.deepEqual(await ask(), [`${workspace_id} searching`]);
    assert.deepEqual(await ask(), [undefined]);
  });

  it('reads the others too where most of the latest days are snoozed', async () => {
    const asleep = found
      .slice(0, 60)
      .map((talk, n) => ({ ...talk, id: nth(9_000 + n), name: 'asleep', isSnoozed: n % 2 > 0 }));
    await make(asleep);
    assert.deepEqual(await walk({ q: 'asleep' }), inOrder(asleep));
    const { nodes } = await page({ q: 'asleep' });
    // Each once. And the latest of each status, which tells the week, for the latest days and for all before.
    assert.equal(rowsOf(nodes, 'conversations'), asleep.length + 2 * 2);
  });

  it('follows who writes again, goes by another name or tag, is another contact, or is erased', async () => {
    const talks = new Map(found.map((talk) => [talk.id, { ...talk }]));
    const say = async (id: string, at: number) => {
      talks.get(id)!.at = at;
      await pool.pg.query('update conversations set last_message_at = $2 where id = $1', [id, new Date(at)]);
    };
    for (const [n, { id }] of found.slice(40, 60).entries()) await say(id, latest + n * 1_000);
    for (const [n, hours] of [1, 12, 24, 24 * 40].entries()) {
      await say(found[100 + n]!.id, found[100 + n]!.at + hours * hour);
    }
    // Of one moment, more than a page of them, at the turn of a day.
    for (const { id } of found.slice(200, 230)) await say(id, Date.parse('2026-11-16T00:00:00Z'));
    const [renamed, merged, erased] = [found[3]!.id, found[5]!.id, found[7]!.id];
    await pool.pg.query(`update contacts set name_folded = 'zaynab', tags = '{}' where id = $1`, [renamed]);
    await pool.pg.query('update conversations set contact_id = $2, is_current = false where id = $1', [
      merged,
      others[0]!.id,
    ]);
    await pool.pg.query('delete from conversations where id = $1', [erased]);
    for (const id of [renamed, merged, erased]) talks.delete(id);
    const of = async (from: number, changes: string) => {
      const ids = found.slice(from, from + 30).map(({ id }) => id);
      await pool.pg.query(`update conversations set ${changes} where id = any($1)`, [ids]);
      return inOrder(ids.map((id) => talks.get(id)!));
    };
    const [user, stage, other] = [nth(7), nth(3), nth(4)];
    const assigned = await of(300, `assignee_id = '${user}'`);
    const staged = await of(315, `stage_id = '${stage}'`);
    const elsewhere = await of(340, `channel_type = 'sms'`);
    const moved = await of(400, `stage_id = '${other}'`);
    const closed = await of(440, `status = 'closed'`);
    for (const search of [{ q: 'found' }, { tag: 'found' }]) {
      assert.deepEqual(await walk(search), inOrder([...talks.values()]));
      assert.deepEqual(await walk({ ...search, assignee_id: user }), assigned);
      assert.deepEqual(await walk({ ...search, stage_id: stage }), staged);
      assert.deepEqual(await walk({ ...search, channel_type: 'sms' }), elsewhere);
      assert.deepEqual(await walk({ ...search, stage_id: other, channel_type: 'chatapp', assignee_id: null }), moved);
      assert.deepEqual(
        (await walk({ ...search, status: 'closed' })).filter((id) => closed.includes(id)),
        closed,
      );
    }
    const both = assigned.filter((id) => staged.includes(id));
    assert.ok(both.length > 10);
    assert.deepEqual(await walk({ assignee_id: user, stage_id: stage }), both);
    assert.deepEqual(await walk({ q: 'zaynab' }), [renamed]);
    const { rows } = await pool.pg.query(`
      select c.id from conversations c full join conversation_search s on s.workspace_id = c.workspace_id and s.conversation_id = c.id
      where c.id is null or s.conversation_id is null or s.name <> c.contact_name_folded
        or s.tags <> conversation_terms(c.contact_tags, c.status, c.assignee_id, c.stage_id, c.channel_type, s.active_from)
        or c.last_message_at < s.active_from or c.last_message_at >= s.active_until
        or s.active_until - s.active_from <> interval '24 hours'`);
    assert.deepEqual(rows, []);
  });

  it('takes none for one of the latest, and misses none of them, whose contact has more tags than are indexed', async () => {
    const day = 24 * hour;
    // A page of the latest of a month, or of a week; then one is none of them. Others are older, one of whom has the most tags.
    for (const { tag, first, apart, olderDays, mostDays } of [
      { tag: 'much', first: 3_000, apart: day, olderDays: 100, mostDays: 200 },
      { tag: 'many', first: 6_000, apart: hour, olderDays: 12, mostDays: 15 },
    ]) {
      const talk = (n: number, at: number): Talk => ({
        ...{ id: nth(first + n), at, name: tag },
        ...{ status: 'open', isSnoozed: false },
      });
      const latestOnes = Array.from({ length: count }, (_, n) => talk(n, latest - n * apart));
      const older = Array.from({ length: 500 }, (_, n) => talk(100 + n, latest - olderDays * day - n * minute));
      const ancient = Array.from({ length: 600 }, (_, n) => talk(1_000 + n, latest - 300 * day - n * hour));
      const most = talk(2_000, latest - mostDays * day);
      await make([...latestOnes, ...older, ...ancient]);
      await make(
        [most],
        Array.from({ length: 250 }, (_, n) => `tag ${n}`),
      );
      const all = inOrder([...latestOnes, ...older, ...ancient, most]);
      assert.deepEqual(await walk({ tag }), all);
      await pool.pg.query(`update contacts set tags = '{}' where id = $1`, [all.shift()]);
      for (let time = 0; time < 2; time++) assert.deepEqual(await walk({ tag }), all);
      // One more than a page of the latest, of whom none may be missed.
      const [more, again] = [talk(2_100, latest), talk(2_101, latest - 1)];
      await make([more, again]);
      all.unshift(more.id, again.id);
      for (const tags of [0, 3, 120]) {
        await pool.pg.query(
          `update contacts set tags = array(select 'tag ' || n from generate_series(1, $2) n) || $3::text where id = $1`,
          [more.id, tags, tag],
        );
        for (let time = 0; time < 2; time++) assert.deepEqual(await walk({ tag }), all);
      }
    }
  });
});
