import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import { findContacts } from '../src/contacts/find-contact.ts';
import { type ContactFilter, listContacts } from '../src/contacts/list/list-contacts.ts';
import { listTags } from '../src/contacts/list-tags.ts';
import { findPeople } from '../src/contacts/write/find-or-create-contacts.ts';
import { searchKey } from '../src/database/search-key.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const other = '00000000-0000-4000-8000-000000000001';
const workspace_id = '00000000-0000-4000-8000-000000000002';
const total = 8_000;
const count = 21;
/** The nth contact, and the nth stage. */
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
/** In the middle of the list. */
const middle = { active_at: '2026-11-20T11:06:40Z', id: nth(0) };

// Of the numbers one is searched.
const numberKeys = { 4321: searchKey('+96891004321') };

/** A workspace with as many contacts, active one a second; what they have depends on their number. */
function fill(workspace_id: string, contacts: number): string {
  const at = `timestamptz '2026-11-20T10:00:00Z'`;
  const numbered = `(select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id from generate_series(1, ${contacts}) i) n`;
  return `
    insert into workspaces (id, name, created_at) values ('${workspace_id}', '${workspace_id}', ${at});
    insert into stages (workspace_id, id, name, position)
    select '${workspace_id}', id, i::text, i from ${numbered} where i <= 3;
    insert into contacts (workspace_id, id, name_key, email_key, tags, stage_id, last_activity_at, created_at)
    select '${workspace_id}', id, concat('${searchKey('محمد')}', case when i % 50 = 0 then '${searchKey('الحارثي')}' end,
        case when i % 1000 = 0 then '${searchKey('zahra')}' end, case when i <= 4000 then '${searchKey('early')}' end),
      case when i <= 4000 then '${searchKey('@early.example')}' else '' end,
      array_remove(array['all', case when i % 50 = 0 then 'some' end, case when i % 1000 = 0 then 'few' end,
        case when i <= 4000 then 'early' end], null),
      case i % 1000 when 7 then '${nth(1)}'::uuid when 8 then '${nth(2)}'::uuid end,
      case when i % 3 > 0 then ${at} + i * interval '1 second' end, ${at} + i * interval '1 second'
    from ${numbered};
    insert into contact_identities (workspace_id, channel_type, identifier, identifier_key, contact_id, created_at)
    select '${workspace_id}', case n.i % 1000 when 9 then 'instagram' else 'chatapp' end, '+9689' || 1000000 + n.i,
      coalesce(k.key, ''), id, ${at}
    from ${numbered} left join jsonb_each_text('${JSON.stringify(numberKeys)}') as k (number, key) on k.number = n.i::text;`;
}

const search = (...patterns: string[]): ContactFilter => ({ patterns });
const only = (filter: Omit<ContactFilter, 'patterns'>): ContactFilter => ({ patterns: [], ...filter });

/** The numbers of the contacts that meet a filter, by reading them all. */
const contacts = Array.from({ length: total }, (_, index) => total - index).map((i) => ({
  i,
  texts: [
    ['محمد', i % 50 === 0 && 'الحارثي', i % 1000 === 0 && 'zahra', i <= 4000 && 'early'].filter(Boolean).join(' '),
    i <= 4000 ? '@early.example' : '',
    i === 4321 ? '+96891004321' : '',
  ],
  tags: ['all', i % 50 === 0 && 'some', i % 1000 === 0 && 'few', i <= 4000 && 'early'],
  stage_id: { 7: nth(1), 8: nth(2) }[i % 1000],
  channel_type: i % 1000 === 9 ? 'instagram' : 'chatapp',
}));

function expected({ patterns, tag, stage_id, channel_type }: ContactFilter, after?: typeof middle): string[] {
  const behind = after ? (Date.parse(after.active_at) - Date.parse('2026-11-20T10:00:00Z')) / 1000 : total + 1;
  const meeting = contacts.filter(
    (contact) =>
      contact.i < behind &&
      (patterns.length === 0 || patterns.some((part) => contact.texts.some((text) => text.includes(part)))) &&
      (tag === undefined || contact.tags.includes(tag)) &&
      (stage_id === undefined || contact.stage_id === stage_id) &&
      (channel_type === undefined || contact.channel_type === channel_type),
  );
  return meeting.slice(0, count).map(({ i }) => nth(i));
}

// What a scan reads before it gives up, and goes on to where it promises a page; what is read of the matches.
const [scanned, further, matched] = [500, 4_000, 2_001];
const asked: [what: string, filter: ContactFilter, most_rows: number][] = [
  ['without a filter', only({}), count],
  ['by a text that everyone has', search('محمد'), count],
  ['by a letter that everyone has', search('م'), count],
  ['by a text that some have', search('الحارثي'), scanned + 50 * (count + 1)],
  ['by a text that few have', search('zahra'), scanned + 8],
  ['by a letter that few have', search('z'), scanned + 8],
  ['by two letters that few have', search('za'), scanned + 8],
  ['by a text that nobody has', search('ahraz'), scanned],
  ['by a letter that nobody has', search('q'), scanned],
  ['by a letter of another script that nobody has', search('ж'), scanned],
  ['by two letters that nobody has', search('zz'), scanned],
  ['by a number', search('+96891004321', '96891004321'), scanned + 2],
  ['by a part of a number', search('1004321'), scanned + 1],
  ['by a tag that everyone has', only({ tag: 'all' }), count],
  ['by a tag that some have', only({ tag: 'some' }), scanned + 50 * (count + 1)],
  ['by a tag that few have', only({ tag: 'few' }), scanned + 8],
  ['by a tag that nobody has', only({ tag: 'none' }), scanned],
  ['by a stage', only({ stage_id: nth(1) }), scanned + 8],
  ['by a stage that nobody has', only({ stage_id: nth(3) }), scanned],
  ['by a type of channel that everyone has', only({ channel_type: 'chatapp' }), 2 * count],
  ['by a type of channel that few have', only({ channel_type: 'instagram' }), scanned + 8],
  ['by a type of channel that nobody has', only({ channel_type: 'email' }), scanned],
  ['by all of these', { patterns: ['zahra'], tag: 'few', channel_type: 'chatapp' }, scanned + 2 * 8],
  ['by a text that the earlier half has', search('early.ex'), scanned + 2 * matched + further + count],
  ['by a tag that the earlier half has', only({ tag: 'early' }), scanned + 2 * matched + further + count],
];

/** `astray`: how often the planner may take the primary key for the workspace's rows, of which it knows no number. */
function assertPlans({ astray }: { astray: number }): void {
  for (const [what, filter, most_rows] of asked) {
    it(`${what}: right, and no more rows than it takes`, async () => {
      for (const after of [undefined, middle]) {
        const { result, nodes } = await readAsApi(pool, (connection) =>
          listContacts(connection, workspace_id, filter, { after, count }),
        );
        assert.deepEqual(
          result.map(({ id }) => id),
          expected(filter, after),
        );
        const [read, searched] = [rowsOf(nodes, 'contacts'), rowsOf(nodes, 'contact_search')];
        assert.ok(read <= most_rows, `${read} contacts`);
        assert.ok(searched <= most_rows + astray * total, `${searched} searched`);
      }
    });
  }
}

it('the list of an empty workspace reads nothing', async () => {
  for (const [, filter] of asked) {
    const { result, nodes } = await readAsApi(pool, (connection) =>
      listContacts(connection, workspace_id, filter, { after: undefined, count }),
    );
    assert.deepEqual([result, rowsOf(nodes, 'contacts'), rowsOf(nodes, 'contact_search')], [[], 0, 0]);
  }
});

describe('the plans of the list of contacts on a database that grew and was never analysed', () => {
  before(async () => {
    for (const table of ['contacts', 'contact_identities', 'contact_search']) {
      await pool.pg.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    await pool.pg.query(fill(other, total));
    await pool.pg.query(fill(workspace_id, total));
  });
  assertPlans({ astray: 4 });
});

describe('the plans of the list of contacts on an analysed database', () => {
  before(() => pool.pg.query('analyze'));
  assertPlans({ astray: 0 });
});

describe('the plans of other reads of contacts', () => {
  it('find people by their numbers, each by the whole key', async () => {
    const people = Array.from({ length: 1_000 }, (_, i) => {
      const [identifier, spelling] = [`+9689${1_003_000 + i}`, `+9687${1_003_000 + i}`];
      return { workspace_id, channel_type: 'chatapp', identifier, variants: [spelling], wa_id: identifier.slice(1) };
    });
    const { result, nodes } = await readAsApi(pool, (connection) => findPeople(connection, people));
    assert.equal(result.filter((found) => found).length, 999);
    assert.deepEqual(scansOf(nodes), []);
    assert.ok(rowsOf(nodes, 'contact_identities') <= 1_000);
    assert.ok(rowsOf(nodes, 'contacts') <= 1_000);
  });

  it('read contacts by their ids', async () => {
    const ids = [nth(5), nth(1), nth(9_999), nth(3)];
    const { result, nodes } = await readAsApi(pool, (connection) => findContacts(connection, workspace_id, ids));
    assert.deepEqual(
      result.map(({ id }) => id),
      [nth(5), nth(1), nth(3)],
    );
    assert.deepEqual(scansOf(nodes), []);
    assert.equal(rowsOf(nodes, 'contacts'), 3);
  });

  it('count tags without reading contacts', async () => {
    const { result, nodes } = await readAsApi(pool, (connection) => listTags(connection, workspace_id));
    assert.deepEqual(result, [
      { name: 'all', contacts: 8_000 },
      { name: 'early', contacts: 4_000 },
      { name: 'few', contacts: 8 },
      { name: 'some', contacts: 160 },
    ]);
    assert.deepEqual(scansOf(nodes), []);
    assert.equal(rowsOf(nodes, 'contacts'), 0);
  });
});
