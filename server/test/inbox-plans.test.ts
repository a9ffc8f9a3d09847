import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { mostCounted } from '@majlis/console-api';
import { fillWorkspace } from '@majlis/testing/fill-workspace';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { type PlanNode, rowsOf, scansOf } from '@majlis/testing/plans';
import { readAsApi } from '@majlis/testing/read-as-api';
import { publicId } from '../src/database/ids.ts';
import type { Pool } from '../src/database/pool.ts';
import { countViews } from '../src/inbox/views/count-views.ts';
import type { InboxView } from '../src/inbox/views/inbox-view.ts';
import { listView } from '../src/inbox/views/list-inbox.ts';
import { presentRows } from '../src/inbox/views/present-rows.ts';
import { listByIds, listStretch } from '../src/messages/thread/list-thread.ts';
import { readTimeline } from '../src/messages/timeline/read-timeline.ts';

const pool = await openTestPool({ statement_timeout_ms: 60_000 });

const small = '00000000-0000-4000-8000-000000000001';
const large = '00000000-0000-4000-8000-000000000002';
const total = 8_000;
const count = 51;
const now = new Date('2026-11-20T13:00:00Z');
/** The nth thing of a workspace. */
const nth = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
const [user, team, long] = [nth(7), nth(1), nth(8)];
const messagesOfLong = 3_000;
const middleOfLong = '00000000-0000-4000-a000-000000001500';
const people = {
  everything: { workspace_id: large, user_id: user, own_teams_only: false, role: 'agent' },
  'own teams': { workspace_id: large, user_id: user, own_teams_only: true, role: 'agent' },
} as const;

/**
 * As many conversations, one a second: a quarter closed, one in 50 snoozed, each of a user or of nobody, some of a team. The user
 * was mentioned in 2,000 notes.
 */
function fill(workspace_id: string, conversations: number): string {
  const at = `timestamptz '2026-11-20T10:00:00Z'`;
  const numbered = `(select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id
    from generate_series(1, ${conversations}) i) n`;
  return `${fillWorkspace(workspace_id, at)}
    insert into teams (workspace_id, id, name, created_at) values ('${workspace_id}', '${team}', 'Sales', ${at});
    insert into team_members (workspace_id, team_id, user_id) values ('${workspace_id}', '${team}', '${user}');
    insert into contacts (workspace_id, id, created_at) select '${workspace_id}', id, ${at} from ${numbered};
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
    select '${workspace_id}', 'chatapp', '+9689' || i, id, ${at} from ${numbered};
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, assignee_id, team_id,
      snoozed_until, last_message_at, last_customer_message_id, created_at)
    select '${workspace_id}', n.id, n.id, '${workspace_id}', 'chatapp', case i % 4 when 0 then 'closed' else 'open' end,
      u.id, case when i % 3 = 0 then '${team}'::uuid end,
      case when i % 50 = 1 then ${at} + interval '1 day' + i * interval '1 second' end,
      ${at} + i * interval '1 second', n.id, ${at}
    from ${numbered} left join users u on u.workspace_id = '${workspace_id}' and u.email = (i % 25)::text;
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, created_at)
    select '${workspace_id}', id, id, '${workspace_id}', 'inbound', 'text', 'Hello', ${at} from ${numbered};
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, created_at)
    select '${workspace_id}', ('00000000-0000-4000-a000-' || lpad(i::text, 12, '0'))::uuid, '${long}', '${workspace_id}',
      'inbound', 'text', 'Hello', ${at} from generate_series(1, ${conversations > 100 ? messagesOfLong : 10}) i;
    insert into events (workspace_id, id, type, payload, conversation_id, created_at)
    select '${workspace_id}', gen_random_uuid(), 'message.received', '{"message":{"id":"' || case i
      when 1500 then '${publicId('message', middleOfLong)}' else 'msg_' || lpad(i::text, 26, '0') end || '"}}', '${long}', ${at}
    from ${numbered};
    insert into note_mentions (workspace_id, message_id, user_id, created_at)
    select '${workspace_id}', id, '${user}', ${at} from ${numbered} where i % 4 = 2 limit 2000;
    insert into read_marks (workspace_id, user_id, conversation_id, updated_at)
    select '${workspace_id}', '${user}', id, ${at} from ${numbered} where i % 10 = 0;`;
}

/** Workspaces with three conversations each: to good statistics, the average workspace is small. */
const others = `
  with w as (
    insert into workspaces (id, name, created_at)
    select gen_random_uuid(), 'Small ' || i, now() from generate_series(1, 1500) i returning id
  ), ch as (
    insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret, app_secret_fingerprint,
      verify_token, verify_token_fingerprint, created_at)
    select id, id, 'chatapp', '1', id::text, '', '', '', '', '', now() from w returning workspace_id
  ), c as (
    insert into contacts (workspace_id, id, created_at)
    select workspace_id, gen_random_uuid(), now() from ch, generate_series(1, 3) returning workspace_id, id
  )
  insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
  select workspace_id, id, id, workspace_id, 'chatapp', now(), now() from c;
  insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, created_at)
  select workspace_id, id, id, channel_id, 'inbound', 'text', 'Hello', now() from conversations
  where workspace_id not in ('${small}', '${large}')`;

const views: InboxView[] = [
  { name: 'mine' },
  { name: 'unassigned' },
  { name: 'all' },
  { name: 'closed' },
  { name: 'snoozed' },
  { name: 'mentions' },
  { name: 'team', id: team },
];
const large_tables = [
  'conversations',
  'messages',
  'contacts',
  'contact_identities',
  'note_mentions',
  'read_marks',
  'events',
];

async function plansOf(reading: (pool: Pool) => Promise<unknown>): Promise<PlanNode[]> {
  return (await readAsApi(pool, reading)).nodes;
}

function assertNoScan(nodes: readonly PlanNode[]): void {
  const scanned = scansOf(nodes).flatMap((node) => node['Relation Name'] ?? []);
  assert.deepEqual(
    scanned.filter((table) => large_tables.includes(table)),
    [],
  );
}

function assertPlans(): void {
  for (const [whose, viewer] of Object.entries(people)) {
    for (const view of views) {
      it(`${view.name} of a person who sees ${whose}: the rows of a page, wherever it begins`, async () => {
        const first = await listView(pool, view, viewer, { now, after: undefined, count });
        const middle = first.at(Math.floor(first.length / 2))?.place;
        for (const after of [undefined, middle]) {
          const nodes = await plansOf(async (connection) => {
            const rows = await listView(connection, view, viewer, { now, after, count });
            await presentRows(connection, viewer, rows);
          });
          assertNoScan(nodes);
          // Each mention is looked up, and each shown row by its key twice: for its preview and its mark. Those of own teams come
          // from two ranges, and one in 50 is snoozed.
          const mentions = view.name === 'mentions' ? 1_200 : 0;
          const most = (viewer.own_teams_only ? 8 : 6) * count + mentions;
          assert.ok(
            rowsOf(nodes, 'conversations') <= most,
            `${rowsOf(nodes, 'conversations')} of ${most} conversations`,
          );
          assert.ok(rowsOf(nodes, 'messages') <= 2 * count + mentions, `${rowsOf(nodes, 'messages')} messages`);
        }
      });
    }
    it(`the counts of a person who sees ${whose}: no view beyond its bound`, async () => {
      const nodes = await plansOf((connection) => countViews(connection, viewer, now));
      assertNoScan(nodes);
      // Seven views, of which those of own teams come from two ranges; one in 50 is snoozed.
      const most = (viewer.own_teams_only ? 9 : 7) * mostCounted * 1.1;
      assert.ok(rowsOf(nodes, 'conversations') <= most, `${rowsOf(nodes, 'conversations')} of ${most} conversations`);
      assert.ok(rowsOf(nodes, 'messages') <= mostCounted, `${rowsOf(nodes, 'messages')} messages`);
    });
  }

  const of = { workspace_id: large, conversation_id: long };
  for (const direction of ['earlier', 'later'] as const) {
    it(`a page of a long thread, ${direction}: its messages alone`, async () => {
      for (const beyond of [undefined, middleOfLong]) {
        const nodes = await plansOf((connection) => listStretch(connection, of, { direction, beyond, count }));
        assertNoScan(nodes);
        assert.ok(rowsOf(nodes, 'messages') <= count, `${rowsOf(nodes, 'messages')} messages`);
      }
    });
  }
  it('messages of a thread by their ids: these alone', async () => {
    const nodes = await plansOf((connection) => listByIds(connection, of, [middleOfLong, long, nth(9)]));
    assertNoScan(nodes);
    assert.ok(rowsOf(nodes, 'messages') <= 3, `${rowsOf(nodes, 'messages')} messages`);
  });
  it('the timeline of a message of a long thread: the events that name it', async () => {
    const message = { message_id: publicId('message', middleOfLong), sees_endpoints: true };
    const { result, nodes } = await readAsApi(pool, (connection) =>
      readTimeline(connection, { now: () => now }, people.everything, message),
    );
    assert.deepEqual(
      result.map(({ step }) => step),
      ['received', 'event'],
    );
    assertNoScan(nodes);
    assert.equal(rowsOf(nodes, 'events'), 1);
  });
}

it('the inbox of an empty workspace reads nothing', async () => {
  for (const viewer of Object.values(people)) {
    const nodes = await plansOf(async (connection) => {
      for (const view of views) {
        if (view.name !== 'team') await listView(connection, view, viewer, { now, after: undefined, count });
      }
      await countViews(connection, viewer, now);
    });
    assert.deepEqual([rowsOf(nodes, 'conversations'), rowsOf(nodes, 'messages')], [0, 0]);
  }
});

describe('the plans of the inbox on a database that grew and was never analysed', () => {
  before(async () => {
    for (const table of large_tables) await pool.pg.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await pool.pg.query(fill(small, 50));
    await pool.pg.query(fill(large, total));
  });
  assertPlans();
});

describe('the plans of the inbox on an analysed database', () => {
  before(() => pool.pg.query('analyze'));
  assertPlans();
});

describe('the plans of the inbox among many small workspaces', () => {
  before(async () => {
    await pool.pg.query(others);
    await pool.pg.query('analyze');
  });
  assertPlans();
});
