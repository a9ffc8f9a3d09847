import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { type PlanNode, rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import type { ConversationFilter } from '../src/conversations/list/conversation-filter.ts';
import { findConversation, listConversations } from '../src/conversations/list/list-conversations.ts';
import type { Connection } from '../src/database/pool.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const small = '00000000-0000-4000-8000-000000000001';
const large = '00000000-0000-4000-8000-000000000002';
const total = 2_400;
const count = 21;
const now = new Date('2026-11-20T12:00:00Z');
/** The nth thing of the large workspace. */
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
const user = nth(7);
const stage = nth(3);
/** The middle of the list. */
const middle = { last_message_at: '2026-11-20T10:40:00Z', id: nth(0) };

before(async () => {
  await pool.pg.query(fill(small, 50));
  await pool.pg.query(fill(large, total));
});

/** A workspace with as many conversations, one a second; everything is numbered. */
function fill(workspace_id: string, conversations: number): string {
  const at = `timestamptz '2026-11-20T10:00:00Z'`;
  const numbered = `(select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id
    from generate_series(1, ${conversations}) i) n`;
  return `${fillWorkspace(workspace_id, at)}
    insert into contacts (workspace_id, id, name, name_folded, tags, created_at)
    select '${workspace_id}', id, 'Muna ' || i, 'muna ' || i,
      array_remove(array['all', case when i % 20 = 0 then 'some' end, case when i % 100 = 0 then 'few' end], null), ${at}
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

describe('the plans of the conversation list', () => {
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
  for (const [filter, index] of ordered) {
    it(`${JSON.stringify(filter)}: no more rows than are shown, wherever the page begins`, async () => {
      for (const after of [undefined, middle]) {
        const nodes = await read(filter, after);
        assert.deepEqual(scansOf(nodes), []);
        assert.deepEqual([...indexesOf(nodes)], [index]);
        // The merge of two walks holds the next row of each.
        assert.ok(rowsOf(nodes, 'conversations') <= count + 2, `${rowsOf(nodes, 'conversations')} rows`);
        assert.equal(rowsOf(nodes, 'contacts'), 0);
      }
    });
  }

  const searches: [ConversationFilter, number][] = [
    [{ q: 'muna' }, 0],
    [{ tag: 'all' }, 0],
    [{ tag: 'few' }, 24],
    [{ tag: 'none' }, 0],
    [{ q: 'muna 77' }, 12],
    [{ q: 'nobody' }, 0],
    [{ q: '%' }, 0],
    [{ q: 'muna', tag: 'few', assignee_id: user }, 24],
    [{ q: 'zz', stage_id: stage }, 0],
    [{ tag: 'few', status: 'open' }, 8],
    [{ assignee_id: user, stage_id: stage }, 12],
    [{ assignee_id: null, stage_id: stage, status: 'closed', tag: 'few' }, 1],
  ];
  for (const [filter, matches] of searches) {
    it(`${JSON.stringify(filter)}: a bounded walk, and what the index of terms finds`, async () => {
      // The first page twice: it is found in another way by who asks for it again.
      for (const after of [undefined, undefined, middle]) {
        const nodes = await read(filter, after);
        assert.deepEqual(scansOf(nodes), []);
        assert.ok(rowsOf(nodes, 'conversation_search') <= matches, `${rowsOf(nodes, 'conversation_search')} matches`);
        assert.equal(rowsOf(nodes, 'contacts'), 0);
      }
    });
  }

  it('hand on no more than is shown of what many have, when it is asked for again', async () => {
    const filter = { tag: 'some' };
    await read(filter);
    const nodes = (await read(filter)).filter((node) => node['Relation Name'] === 'conversations');
    const handedOn = nodes.reduce((sum, node) => sum + node['Actual Rows'], 0);
    assert.ok(handedOn <= count + 2, `${handedOn} rows`);
    assert.equal(rowsOf(nodes, 'conversations') - handedOn, 19 * (count - 1));
  });

  it('finds one by its id through the primary key', async () => {
    const nodes = await plansOf((connection) => findConversation(connection, large, nth(9)));
    assert.deepEqual(scansOf(nodes), []);
    assert.deepEqual([...indexesOf(nodes)], ['conversations_pkey']);
  });
});
