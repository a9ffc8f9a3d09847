import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { listContacts } from '../src/contacts/list/list-contacts.ts';
import type { ConversationFilter } from '../src/conversations/list/conversation-filter.ts';
import { listConversations } from '../src/conversations/list/list-conversations.ts';
import { searchKey } from '../src/database/search-key.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const workspace_id = '00000000-0000-4000-8000-000000000001';
const latest = Date.parse('2026-11-20T10:00:00Z');
const count = 21;
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;

interface Talk {
  id: string;
  at: number;
  name: string;
  status: 'open' | 'closed';
  isSnoozed: boolean;
}

// Two a day, one in sixteen open, one in ten snoozed; more of `many` than are sorted, three of one moment each.
const few = talks(0, 500, 'few', (n) => latest - n * 43_200_000);
const many = talks(10_000, 2_500, 'many', (n) => latest - 30 * 86_400_000 - Math.floor(n / 3) * 60_000);
// In front of them all, so that a scan of the latest finds none of them.
const others = talks(20_000, 700, 'other', (n) => latest + (n + 1) * 60_000);

function talks(first: number, length: number, name: string, at: (n: number) => number): Talk[] {
  return Array.from({ length }, (_, n) => ({
    ...{ id: nth(first + n), at: at(n), name },
    ...{ status: n % 16 ? 'closed' : 'open', isSnoozed: n % 10 === 4 },
  }));
}

before(async () => {
  await pool.pg.query(fillWorkspace(workspace_id, `timestamptz '2026-01-01'`));
  const rows = [...few, ...many, ...others].map(({ at, ...talk }) => {
    return { ...talk, at: new Date(at), name_key: searchKey(talk.name) };
  });
  await pool.pg.query(
    `with r as materialized (
       select * from json_to_recordset($2) as r (id uuid, name text, name_key text, status text, at timestamptz, "isSnoozed" boolean)
     ), made as (
       insert into contacts (workspace_id, id, name_key, tags, last_activity_at, created_at)
       select $1, id, name_key, array[name], case when status = 'closed' then at end,
         case when status = 'closed' then '2020-01-01' else at end from r
     ), known as (
       insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
       select $1, 'chatapp', id, id, now() from r
     )
     insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, snoozed_until, last_message_at, created_at)
     select $1, id, id, $1, 'chatapp', status, case when "isSnoozed" then timestamptz '2030-01-01' end, at, now() from r`,
    [workspace_id, JSON.stringify(rows)],
  );
});

/** All rows of a list, page by page. */
async function readAll<Row extends { id: string }>(
  read: (after: Row | undefined) => Promise<Row[]>,
): Promise<string[]> {
  const seen: string[] = [];
  for (let after: Row | undefined; ; ) {
    const rows = await read(after);
    seen.push(...rows.map(({ id }) => id));
    after = rows.at(-1);
    if (rows.length < count) return seen;
  }
}

const contacts = (filter: { patterns: string[]; tag?: string }) =>
  readAll((last: { id: string; active_at: Date } | undefined) => {
    const after = last && { active_at: last.active_at.toISOString(), id: last.id };
    return listContacts(pool, workspace_id, filter, { after, count });
  });

const conversations = (filter: ConversationFilter) =>
  readAll((last: { id: string; last_message_at: Date } | undefined) => {
    const after = last && { last_message_at: last.last_message_at.toISOString(), id: last.id };
    return listConversations(pool, workspace_id, filter, { now: new Date(latest), after, count });
  });

const inOrder = (list: readonly Talk[]) =>
  list.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
const awake = (list: readonly Talk[]) => inOrder(list.filter(({ isSnoozed }) => !isSnoozed));

for (const list of [few, many]) {
  const { name } = list[0]!;
  describe(`a search that finds ${list.length} behind 700 others`, () => {
    it('shows each contact once, latest activity first', async () => {
      assert.deepEqual(await contacts({ patterns: [name] }), inOrder(list));
      assert.deepEqual(await contacts({ patterns: [], tag: name }), inOrder(list));
      assert.deepEqual(await contacts({ patterns: ['nobody', name, name.slice(1)], tag: name }), inOrder(list));
    });

    it('shows each conversation once, latest first, with other filters and without', async () => {
      assert.deepEqual(await conversations({ q: name }), awake(list));
      assert.deepEqual(await conversations({ tag: name }), awake(list));
      for (const status of ['open', 'closed'] as const) {
        const expected = awake(list.filter((talk) => talk.status === status));
        assert.deepEqual(await conversations({ q: name.slice(1), tag: name, status }), expected);
        assert.deepEqual(await conversations({ tag: name, status, assignee_id: null }), expected);
      }
    });
  });
}
