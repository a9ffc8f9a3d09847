import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Conversation } from '@majlis/contract';
import fc from '@majlis/testing/fast-check';
import {
  createListedConversations,
  earliestActivityMs,
  type ListedConversation,
  latestFirst,
  pageSizes,
  pageThroughConversations,
} from '@majlis/testing/listed-conversations';
import type { ListQuery } from '@majlis/testing/page-through';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { foldText } from '../src/database/fold-text.ts';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', ...pageSizes } });
let workspace: TestWorkspace;
let models: ListedConversation[];
let users: string[];
let stages: string[];

before(async () => {
  ({ workspace, models, users, stages } = await createListedConversations(majlis, 24));
});

const walk = (query: ListQuery) => pageThroughConversations(workspace, query);

function meets(
  model: ListedConversation,
  { status, assignee_id, channel_type, stage_id, tag, contact_id, q }: ListQuery,
): boolean {
  const asked: [string | undefined, boolean][] = [
    [status, model.status === status],
    [assignee_id, assignee_id === 'none' ? model.assignee_id === null : model.assignee_id === assignee_id],
    [channel_type, model.channel_type === channel_type],
    [stage_id, model.stage_id === stage_id],
    [tag, model.tags.includes(tag!)],
    [contact_id, model.contact_id === contact_id],
    [q, q === '' || (model.name !== null && foldText(model.name).includes(foldText(q ?? '')))],
  ];
  return asked.every(([given, holds]) => given === undefined || holds);
}

async function assertListed(query: ListQuery): Promise<void> {
  const { limit: _, ...filters } = query;
  const expected = latestFirst(models.filter((model) => meets(model, filters)));
  assert.deepEqual(await walk(query), expected, JSON.stringify(query));
}

describe('the list of conversations', () => {
  it('has the most recent activity first, and each once, whatever the size of its pages', async () => {
    for (const limit of [undefined, '1', '4', '5', '12', '23', '24', '25', '1000000000']) await assertListed({ limit });
  });

  it('gives no more than the largest page, and says that there is more', async () => {
    const { body } = await workspace.api.get('/conversations?limit=20');
    assert.deepEqual([body.data.length, body.has_more], [12, true]);
    const { body: page } = await workspace.api.get('/conversations');
    assert.deepEqual([page.data.length, page.has_more], [6, true]);
  });

  it('is filtered by each member', async () => {
    for (const status of ['open', 'closed']) await assertListed({ status });
    for (const assignee_id of [...users, 'none', `usr_${'0'.repeat(26)}`, 'Aisha', ''])
      await assertListed({ assignee_id });
    for (const channel_type of ['chatapp', 'sms', 'email']) await assertListed({ channel_type });
    for (const stage_id of [...stages, '0'.repeat(26), 'New lead', '']) await assertListed({ stage_id });
    for (const tag of ['vip', 'new', 'ع', '100%', 'VIP', 'vi', '%', '']) await assertListed({ tag });
    for (const contact_id of [models[3]!.contact_id, `ct_${'0'.repeat(26)}`, models[3]!.id, '']) {
      await assertListed({ contact_id });
    }
  });

  it('is filtered by any mix of members, page by page', async () => {
    const one = <Member>(values: Member[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
    const query = fc.record({
      status: one(['open', 'closed']),
      assignee_id: one([...users, 'none']),
      channel_type: one(['chatapp', 'sms']),
      stage_id: one(stages),
      tag: one(['vip', 'new', 'ع', '100%']),
      q: one(['m', 'من', 'wool', 'ا', '0']),
      limit: one(['1', '2', '5']),
    });
    await fc.assert(fc.asyncProperty(query, assertListed), { numRuns: 80 });
  });

  it('finds a name by any part of it, folded, and takes % and _ and \\ as letters', async () => {
    const found = async (q: string) => {
      const ids = await walk({ q });
      return [...new Set(ids.map((id) => models.find((model) => model.id === id)!.name))].sort();
    };
    assert.deepEqual(await found('MUNA'), ['Muna Said', 'MÜNA'].sort());
    assert.deepEqual(await found('una s'), ['Muna Said']);
    assert.deepEqual(await found(' said '), ['Muna Said']);
    assert.deepEqual(await found('مني'), ['منى الحارثي', 'مُنَى'].sort());
    assert.deepEqual(await found('إحمد'), ['أحمد', 'احمد ١٢٣'].sort());
    assert.deepEqual(await found('123'), ['احمد ١٢٣']);
    assert.deepEqual(await found('0%'), ['100% wool']);
    assert.deepEqual(await found('%'), ['100% wool']);
    assert.deepEqual(await found('_'), ['a_b']);
    assert.deepEqual(await found('\\'), ['c\\d']);
    assert.deepEqual(await found('a%b'), []);
    assert.deepEqual(await found('.*'), []);
  });

  it('holds everything where q is empty, the nameless too', async () => {
    for (const q of ['', ' ', '\u0640', '\u0301']) assert.deepEqual(await walk({ q }), latestFirst(models));
  });

  it('searches both statuses down to the same moment, however many of one are recent', async () => {
    const { workspace: other, models } = await createListedConversations(majlis, 1);
    // 600 open ones, a second apart, one in the middle tagged; a closed and tagged one each hour.
    await majlis.sql(
      `with place as (select workspace_id, channel_id from conversations where id = $1), made as (
         insert into contacts (workspace_id, id, tags, created_at)
         select workspace_id, gen_random_uuid(), case when n = 400 or n > 600 then '{rare}'::text[] else '{}' end,
           $2::timestamptz - case when n > 600 then (n - 600) * interval '1 hour' else n * interval '1 second' end
         from place, generate_series(1, 630) n returning *), known as (
         insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
         select workspace_id, 'chatapp', id, id, created_at from made)
       insert into conversations
         (workspace_id, id, contact_id, channel_id, channel_type, status, last_message_at, created_at)
       select workspace_id, id, id, channel_id, 'chatapp',
         case when created_at < $2::timestamptz - interval '30 minutes' then 'closed' else 'open' end, created_at, created_at
       from made join place using (workspace_id)`,
      [parseId('conversation', models[0]!.id), new Date(earliestActivityMs - 60_000)],
    );
    const { body } = await other.api.get('/conversations?tag=rare');
    const statuses = body.data.map(({ status }: Conversation) => status);
    assert.deepEqual(statuses, ['open', ...Array.from({ length: 5 }, () => 'closed')]);
    assert.equal((await pageThroughConversations(other, { tag: 'rare' })).length, 31);
  });

  it('knows nothing of other workspaces, whose ids name nothing', async () => {
    const { workspace: other, users, stages, models: theirs } = await createListedConversations(majlis);
    const filters = [{ assignee_id: users[0]! }, { stage_id: stages[0]! }, { contact_id: theirs[0]!.contact_id }];
    for (const query of filters) {
      assert.notEqual((await pageThroughConversations(other, query)).length, 0);
      assert.deepEqual(await walk(query), []);
    }
    await assertListed({});
  });

  it('leaves out a snoozed conversation until it wakes; by its id it answers', async () => {
    const { workspace: other, models } = await createListedConversations(majlis);
    const [first] = models as [ListedConversation];
    const { now } = (await majlis.operator('GET', '/clock')).body;
    const until = new Date(Date.parse(now) + 3_600_000);
    await majlis.sql('update conversations set snoozed_until = $2 where id = $1', [
      parseId('conversation', first.id),
      until,
    ]);
    const others = latestFirst(models.filter(({ id }) => id !== first.id));
    assert.deepEqual(await pageThroughConversations(other, {}), others);
    assert.deepEqual(await pageThroughConversations(other, { contact_id: first.contact_id }), []);
    const { status, body } = await other.api.get(`/conversations/${first.id}`);
    assert.deepEqual([status, body.status], [200, first.status]);
    await majlis.advance(3_600);
    assert.deepEqual(await pageThroughConversations(other, {}), latestFirst(models));
  });
});
