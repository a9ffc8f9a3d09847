import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { type PlanNode, rowsOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import type { ConversationFilter } from '../src/conversations/list/conversation-filter.ts';
import { findConversation, listConversations } from '../src/conversations/list/list-conversations.ts';
import type { Connection } from '../src/database/pool.ts';
import { searchKey } from '../src/database/search-key.ts';
import { mostMatches } from '../src/database/search-page.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const small = '00000000-0000-4000-8000-000000000001';
const large = '00000000-0000-4000-8000-000000000002';
const total = 8_000;
const count = 21;
/** So many of the latest lack a tag that all others have: more than the first scan reads. */
const latest = 600;
const now = new Date('2026-11-20T12:00:00Z');
/** The nth thing of the large workspace. */
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
const user = nth(7);
const stage = nth(3);
/** The middle of the list. */
const middle = { last_message_at: '2026-11-20T10:40:00Z', id: nth(0) };

/** A workspace with as many conversations, one a second; everything is numbered. */
function fill(workspace_id: string, conversations: number): string {
  const at = `timestamptz '2026-11-20T10:00:00Z'`;
  const numbered = `(select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id
    from generate_series(1, ${conversations}) i) n`;
  return `${fillWorkspace(workspace_id, at)}
    insert into contacts (workspace_id, id, name_key, tags, created_at)
    select '${workspace_id}', id, '${searchKey('Muna')}' || case when i % 1000 = 0 then '${searchKey('Zahra')}' else '' end,
      array_remove(array['all', case when i % 20 = 0 then 'some' end, case when i % 1000 = 0 then 'few' end,
        case when i <= ${conversations - latest} then 'old' end], null), ${at}
    from ${numbered};
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
    select '${workspace_id}', 'chatapp', '+9689' || i, id, ${at} from ${numbered};
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, stage_id, assignee_id,
      last_message_at, created_at)
    select '${workspace_id}', n.id, n.id, '${workspace_id}', 'chatapp', case i % 3 when 0 then 'open' else 'closed' end,
      s.id, u.id, ${at} + i * interval '1 second', ${at}
    from ${numbered}
    left join stages s on s.workspace_id = '${workspace_id}' and s.position = i % 7
    left join users u on u.workspace_id = '${workspace_id}' and u.email = (i % 29)::text`;
}

const indexesOf = (nodes: PlanNode[]) =>
  new Set(nodes.filter((node) => node['Relation Name'] === 'conversations').map((node) => node['Index Name']));

async function read(filter: ConversationFilter, after?: typeof middle) {
  return plansOf((connection) => listConversations(connection, large, filter, { now, after, count }));
}

async function plansOf(reading: (connection: Connection) => Promise<unknown>): Promise<PlanNode[]> {
  return (await readAsApi(pool, reading)).nodes;
}

const ordered: [ConversationFilter, string][] = [
  [{}, 'conversations_status'],
  [{ status: 'open' }, 'conversations_status'],
  [{ status: 'closed', channel_type: 'chatapp' }, 'conversations_status'],
  [{ assignee_id: user }, 'conversations_assignee'],
  [{ assignee_id: user, status: 'open' }, 'conversations_assignee'],
  [{ assignee_id: null }, 'conversations_assignee'],
  [{ assignee_id: nth(999) }, 'conversations_assignee'],
  [{ stage_id: stage }, 'conversations_stage'],
  [{ stage_id: stage, status: 'closed' }, 'conversations_stage'],
  [{ channel_type: 'sms' }, 'conversations_channel_type'],
  [{ contact_id: nth(9) }, 'conversations_contact'],
];

// What a scan reads before it gives up, with the next row of each status. A user and a stage have so many conversations.
const scanned = 500 + 2;
const [ofUser, ofStage] = [Math.ceil(total / 29), Math.ceil(total / 7)];
const searches: [filter: ConversationFilter, most_rows: number][] = [
  [{ q: 'muna' }, count + 2],
  [{ tag: 'all' }, count + 2],
  [{ tag: 'some' }, 20 * (count + 1) + 2],
  [{ tag: 'few' }, scanned + 8],
  [{ tag: 'old' }, scanned + mostMatches + 1 + latest + 2 * (count + 2)],
  [{ tag: 'none' }, scanned],
  [{ q: 'zahra' }, scanned + 8],
  [{ q: 'nobody' }, scanned],
  [{ q: '%' }, scanned],
  [{ q: 'zz', stage_id: stage }, scanned],
  [{ tag: 'few', status: 'open' }, scanned + 8],
  [{ q: 'muna', tag: 'few', assignee_id: user }, ofUser + 2 * 8],
  [{ assignee_id: user, stage_id: stage }, ofStage],
  [{ assignee_id: null, stage_id: stage, status: 'closed', tag: 'few' }, ofStage + 8],
];

/** `astray`: how often the planner may take the primary key for the workspace's rows, of which it knows no number. */
function assertPlans({ astray }: { astray: number }): void {
  for (const [filter, index] of ordered) {
    it(`${JSON.stringify(filter)}: no more rows than are shown, wherever the page begins`, async () => {
      for (const after of [undefined, middle]) {
        const nodes = await read(filter, after);
        assert.deepEqual([...indexesOf(nodes)], [index]);
        // The merge of two ranges holds the next row of each.
        assert.ok(rowsOf(nodes, 'conversations') <= count + 2, `${rowsOf(nodes, 'conversations')} rows`);
        assert.ok(rowsOf(nodes, 'contacts') <= count, `${rowsOf(nodes, 'contacts')} contacts`);
      }
    });
  }
  for (const [filter, most_rows] of searches) {
    it(`${JSON.stringify(filter)}: no more rows than it takes`, async () => {
      for (const after of [undefined, middle]) {
        const nodes = await read(filter, after);
        const [listed, searched] = [rowsOf(nodes, 'conversations'), rowsOf(nodes, 'contact_search')];
        assert.ok(listed <= most_rows, `${listed} conversations`);
        assert.ok(searched <= most_rows + astray * total, `${searched} searched`);
        assert.ok(rowsOf(nodes, 'contacts') <= count, `${rowsOf(nodes, 'contacts')} contacts`);
      }
    });
  }
  it('finds one by its id through the primary key', async () => {
    const nodes = await plansOf((connection) => findConversation(connection, large, nth(9)));
    assert.deepEqual([...indexesOf(nodes)], ['conversations_pkey']);
  });
}

it('the conversation list of an empty workspace reads nothing', async () => {
  for (const [filter] of [...ordered, ...searches]) {
    const nodes = await read(filter);
    assert.deepEqual([rowsOf(nodes, 'conversations'), rowsOf(nodes, 'contact_search')], [0, 0]);
  }
});

describe('the plans of the conversation list on a database that grew and was never analysed', () => {
  before(async () => {
    for (const table of ['contacts', 'contact_identities', 'contact_search', 'conversations']) {
      await pool.pg.query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    await pool.pg.query(fill(small, 50));
    await pool.pg.query(fill(large, total));
  });
  assertPlans({ astray: 1 });
});

describe('the plans of the conversation list on an analysed database', () => {
  before(() => pool.pg.query('analyze'));
  assertPlans({ astray: 0 });
});
