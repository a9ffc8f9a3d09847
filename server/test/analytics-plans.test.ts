import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import { analyseConversations, type ConversationQuestion } from '../src/analytics/analyse-conversations.ts';
import { analyseMessages } from '../src/analytics/analyse-messages.ts';
import { readOverview } from '../src/analytics/read-overview.ts';
import type { Pool } from '../src/database/pool.ts';
import { readUsage } from '../src/workspaces/read-usage.ts';
import { readWallet } from '../src/workspaces/read-wallet.ts';

const pool = await openTestPool({ statement_timeout_ms: 30_000 });

const [asked, ...others] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, ...string[]];
/** An API key of the workspace. */
const principal = { workspace_id: asked, user_id: null };
const days = 60;
const perDay = 10;
const conversations = days * perDay;
/** Three of the days, in the middle. */
const dates = { from: '2026-09-20', to: '2026-09-22' };
const inPeriod = 3 * perDay;

before(async () => {
  await pool.pg.query(fill(asked, conversations));
  for (const other of others) await pool.pg.query(fill(other, 3 * conversations));
  // As autovacuum does.
  await pool.pg.query('analyze');
});

/**
 * A workspace with as many conversations, begun and closed on all days alike. Each has two messages of the customer, a
 * note, and of the business a text and four templates, one of them a rare one and one that failed; a fee; credits of AI.
 */
function fill(workspace_id: string, conversations: number): string {
  const at = `timestamptz '2026-09-01T08:00:00Z'`;
  const numbered = `(
    select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id, ${at} + i % ${days} * interval '1 day' as at
    from generate_series(1, ${conversations}) i) n`;
  return `${fillWorkspace(workspace_id, at)}
    insert into wallets (workspace_id, balance_minor, currency) values ('${workspace_id}', 5, 'OMR');
    insert into contacts (workspace_id, id, created_at) select '${workspace_id}', id, at from ${numbered};
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, stage_id, assignee_id,
      last_message_at, created_at)
    select '${workspace_id}', n.id, n.id, '${workspace_id}', 'chatapp', 'closed', s.id, u.id, at, at
    from ${numbered}
    left join stages s on s.workspace_id = '${workspace_id}' and s.position = i % 7
    left join users u on u.workspace_id = '${workspace_id}' and u.email = (i % 29)::text;
    -- What refers to them is checked by a plan that otherwise knows an empty table.
    analyze conversations;
    insert into conversation_closings (workspace_id, id, conversation_id, opened_at, closed_at, stage_id, assignee_id)
    select workspace_id, id, id, created_at, created_at, stage_id, assignee_id from conversations
    where workspace_id = '${workspace_id}';
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, status, content, created_at)
    select '${workspace_id}', gen_random_uuid(), id, '${workspace_id}', case when m < 3 then 'inbound' else 'outbound' end,
      case when m = 3 then 'note' when m < 5 then 'text' else 'template' end,
      case when m = 4 then 'failed' when m > 4 then 'read' end,
      case when m > 4 then json_build_object('name', case m when 8 then 'rare' else 'often' end) end, at
    from ${numbered}, generate_series(1, 8) m;
    insert into ledger_entries (workspace_id, reference, kind, category, amount_minor, created_at)
    select '${workspace_id}', id, 'conversation_fee', 'utility', 5, at from ${numbered};
    insert into ai_usage (workspace_id, id, credits, created_at)
    select '${workspace_id}', id, 5, at from ${numbered};`;
}

const intervals = ['day', 'week', 'month'] as const;
const groupings = [undefined, 'channel', 'team', 'user', 'stage'] as const;

describe('the plans of figures', () => {
  it('sum the overview from the counts alone', async () => {
    const { closed } = await readWithin({ conversation_counts: 6, stages: 5 }, (pool) => readOverview(pool, principal));
    assert.equal(closed, conversations);
  });

  for (const interval of intervals) {
    for (const group_by of groupings) {
      it(`read the conversations of the period, each once: by ${interval} and ${group_by ?? 'no group'}`, async () => {
        const question: ConversationQuestion = { ...dates, interval, ...(group_by && { group_by }) };
        // A closing does not keep its channel.
        const times = group_by === 'channel' ? 2 : 1;
        const rows = await readWithin(
          { workspaces: 1, conversations: times * inPeriod, conversation_closings: inPeriod },
          (pool) => analyseConversations(pool, principal, question, days),
        );
        const sum = (name: 'new' | 'closed') => rows.reduce((all, row) => all + row[name]!, 0);
        assert.deepEqual([sum('new'), sum('closed')], [inPeriod, inPeriod]);
      });
    }
  }

  it('meet the messages that were sent in the period with conversations of the workspace alone, by hash', async () => {
    const most = { workspaces: 1, messages: 5 * inPeriod, conversations };
    const analyse = (pool: Pool) => analyseMessages(pool, principal, dates);
    const { sent, failed } = await readWithin(most, analyse, 'Hash Join');
    assert.deepEqual([sent, failed], [4 * inPeriod, inPeriod]);
  });

  it('of a template, read its messages alone', async () => {
    const most = { workspaces: 1, messages: inPeriod, conversations };
    const analyse = (pool: Pool) => analyseMessages(pool, principal, { ...dates, template: 'rare' });
    const { sent } = await readWithin(most, analyse, 'Hash Join');
    assert.equal(sent, inPeriod);
  });

  it('read what was used in the period, and the seats', async () => {
    const counted = { messages: 5 * inPeriod, deleted_message_counts: 0, ai_usage: inPeriod, ledger_entries: inPeriod };
    const most = { workspaces: 1, ...counted, users: 20 };
    assert.deepEqual(await readWithin(most, (pool) => readUsage(pool, asked, dates)), {
      messages_sent: 4 * inPeriod,
      ai_credits: 5 * inPeriod,
      seats: 20,
      conversations: { marketing: 0, utility: inPeriod, service: 0 },
    });
  });

  it('read a balance, and none of what moved it', async () => {
    const { balance_minor } = await readWithin({ wallets: 1 }, (pool) => readWallet(pool, asked));
    assert.equal(balance_minor, 5);
  });
});

/** Fails unless it is read by indexes alone, through no more rows than these, of these tables alone, and by such a node. */
async function readWithin<Result>(
  most: Record<string, number>,
  read: (pool: Pool) => Promise<Result>,
  by?: string,
): Promise<Result> {
  const { result, nodes } = await readAsApi(pool, read);
  assert.deepEqual(scansOf(nodes), []);
  if (by) assert.ok(nodes.some((node) => node['Node Type'] === by));
  const tables = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []));
  assert.deepEqual([...tables].sort(), Object.keys(most).sort());
  for (const [table, rows] of Object.entries(most)) {
    assert.ok(rowsOf(nodes, table) <= rows, `${rowsOf(nodes, table)} rows of ${table}`);
  }
  return result;
}
