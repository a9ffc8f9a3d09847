import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Conversation } from '@majlis/contract';
import fc from 'fast-check';
import { foldText } from '../src/database/fold-text.ts';
import { parseId } from '../src/database/ids.ts';
import { createApi } from './support/api.ts';
import { eventually } from './support/eventually.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '6', PAGE_SIZE_MAX: '12' } });
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] } };

const names = [
  'Muna Said',
  'MÜNA',
  'منى الحارثي',
  'مُنَى',
  'أحمد',
  'احمد ١٢٣',
  '100% wool',
  '100 wool',
  'a_b',
  'axb',
  'c\\d',
  null,
];
const base = Date.parse('2026-11-20T09:00:00Z');

/** What the list may be asked about, of one conversation. */
interface Model {
  id: string;
  contact_id: string;
  last_message_at: number;
  status: string;
  channel_type: string;
  assignee_id: string | null;
  stage_id: string | null;
  tags: string[];
  name: string | null;
}

let workspace: Workspace;
let models: Model[];
let users: string[];
let stages: string[];

before(async () => {
  const made = await makeWorkspace(24);
  workspace = made.workspace;
  models = made.models;
  users = made.users;
  stages = made.stages;
});

async function makeWorkspace(count = 8) {
  const workspace = await majlis.workspace({
    users: [
      { name: 'Aisha', email: 'aisha@acme.example' },
      { name: 'Omar', email: 'omar@acme.example' },
    ],
    stages: [{ name: 'New lead' }, { name: 'Customer' }],
    teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  });
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  const [users, stages] = [ids(workspace.applied.users), ids(workspace.applied.stages)];
  const models = await Promise.all(
    Array.from({ length: count }, (_, n) => makeConversation(workspace, n, { users, stages })),
  );
  return { workspace, users, stages, models };
}

async function makeConversation(
  { api }: Workspace,
  n: number,
  { users, stages }: { users: string[]; stages: string[] },
): Promise<Model> {
  const { body: sent } = await api.post('/messages', { to: `+96891${100_000 + n}`, ...template });
  const { body: conversation } = await api.get(`/conversations/${sent.conversation_id}`);
  const model: Model = {
    id: conversation.id,
    contact_id: conversation.contact_id,
    // Many in the same millisecond: the id decides between them.
    last_message_at: base + Math.floor(n / 4),
    status: n % 3 === 0 ? 'closed' : 'open',
    channel_type: n % 8 === 7 ? 'sms' : 'chatapp',
    assignee_id: [null, ...users][n % 3] ?? null,
    stage_id: [...stages, null][(n >> 1) % 3] ?? null,
    tags: ['vip', 'new', 'ع', '100%'].filter((_, i) => (n >> i) % 2 === 0),
    name: names[n % names.length]!,
  };
  await majlis.sql(
    `update conversations set last_message_at = $2, status = $3, channel_type = $4, assignee_id = $5, stage_id = $6
     where id = $1`,
    [
      ...[parseId('cv', model.id), new Date(model.last_message_at), model.status, model.channel_type],
      ...[model.assignee_id && parseId('usr', model.assignee_id), model.stage_id && parseId('', model.stage_id)],
    ],
  );
  const folded = model.name === null ? null : foldText(model.name);
  await majlis.sql('update contacts set tags = $2, name = $3, name_folded = $4 where id = $1', [
    ...[parseId('ct', model.contact_id), model.tags, model.name, folded],
  ]);
  return model;
}

type Query = Record<string, string | undefined>;

/** Every id of the list, over all its pages. */
async function walk(
  query: Query,
  { api }: Workspace = workspace,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const given = Object.entries({ ...query, cursor }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const { status, body, text } = await api.get(`/conversations?${new URLSearchParams(given)}`);
    assert.equal(status, 200, text);
    assert.equal(body.has_more, body.next_cursor !== undefined);
    assert.ok(body.data.length <= Math.min(12, Number(query.limit ?? 6)));
    ids.push(...body.data.map(({ id }: Conversation) => id));
    if (!body.has_more) return ids;
    assert.notEqual(body.data.length, 0);
    cursor = body.next_cursor;
    await between(page);
  }
}

const latestFirst = (list: Model[]) =>
  list.toSorted((a, b) => b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

function meets(model: Model, { status, assignee_id, channel_type, stage_id, tag, contact_id, q }: Query): boolean {
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

async function assertListed(query: Query): Promise<void> {
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
    const { workspace: other, models } = await makeWorkspace(1);
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
      [parseId('cv', models[0]!.id), new Date(base - 60_000)],
    );
    const { body } = await other.api.get('/conversations?tag=rare');
    const statuses = body.data.map(({ status }: Conversation) => status);
    assert.deepEqual(statuses, ['open', ...Array.from({ length: 5 }, () => 'closed')]);
    assert.equal((await walk({ tag: 'rare' }, other)).length, 31);
  });

  it('knows nothing of other workspaces, whose ids name nothing', async () => {
    const { workspace: other, users, stages, models: theirs } = await makeWorkspace();
    const filters = [{ assignee_id: users[0]! }, { stage_id: stages[0]! }, { contact_id: theirs[0]!.contact_id }];
    for (const query of filters) {
      assert.notEqual((await walk(query, other)).length, 0);
      assert.deepEqual(await walk(query), []);
    }
    await assertListed({});
  });

  it('follows what changes of the contact: its name and tags, and who it is after a merge', async () => {
    const { workspace: other, models } = await makeWorkspace(2);
    const [one, two] = models as [Model, Model];
    const changed = await other.api.request('PATCH', `/contacts/${one.contact_id}`, { name: 'Şule', tags: ['loyal'] });
    assert.equal(changed.status, 200, changed.text);
    for (const query of [{ q: 'SULE' }, { tag: 'loyal' }, { q: 'ul', tag: 'loyal' }]) {
      assert.deepEqual(await walk(query, other), [one.id], JSON.stringify(query));
    }
    for (const tag of one.tags) assert.ok(!(await walk({ tag }, other)).includes(one.id));
    await other.api.request('PATCH', `/contacts/${one.contact_id}`, { name: 'SULE' });
    assert.equal((await other.api.get(`/conversations/${one.id}`)).body.contact_name, 'SULE');
    const merge = { source_contact_id: two.contact_id };
    const merged = await other.api.post(`/contacts/${one.contact_id}/merge`, merge);
    assert.equal(merged.status, 200, merged.text);
    for (const query of [{ q: 'sule' }, { tag: 'loyal' }, { contact_id: one.contact_id }]) {
      assert.deepEqual(await walk(query, other), await walk({}, other), JSON.stringify(query));
    }
  });

  it('follows a change of the contact in the moment in which the conversation begins', async () => {
    const { api } = await majlis.workspace();
    const identities = [{ channel_type: 'chatapp', identifier: '+96891200001' }];
    const { body: contact } = await api.post('/contacts', { name: 'Muna', identities });
    const changing = await majlis.hold(
      `update contacts set name = 'Zoë', name_folded = 'zoe', tags = '{vip}' where id = '${parseId('ct', contact.id)}'`,
    );
    let answered = false;
    const sending = api.post('/messages', { contact_id: contact.id, ...template }).finally(() => {
      answered = true;
    });
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(
      () => majlis.sql(isWaiting),
      (rows) => answered || rows.length > 0,
    );
    await changing.commit();
    assert.equal((await sending).status, 201);
    for (const query of ['tag=vip', 'q=zoe']) {
      const { data } = (await api.get(`/conversations?${query}`)).body;
      assert.deepEqual(
        data.map((one: Conversation) => [one.contact_name, one.tags]),
        [['Zoë', ['vip']]],
        query,
      );
    }
  });

  it('leaves out a snoozed conversation until it wakes; by its id it answers', async () => {
    const { workspace: other, models } = await makeWorkspace();
    const [first] = models as [Model];
    const { now } = (await majlis.operator('GET', '/clock')).body;
    const until = new Date(Date.parse(now) + 3_600_000);
    await majlis.sql('update conversations set snoozed_until = $2 where id = $1', [parseId('cv', first.id), until]);
    const others = latestFirst(models.filter(({ id }) => id !== first.id));
    assert.deepEqual(await walk({}, other), others);
    assert.deepEqual(await walk({ contact_id: first.contact_id }, other), []);
    const { status, body } = await other.api.get(`/conversations/${first.id}`);
    assert.deepEqual([status, body.status], [200, first.status]);
    await majlis.advance(3_600);
    assert.deepEqual(await walk({}, other), latestFirst(models));
  });
});

describe('the list while conversations move', () => {
  it('shows each that did not move exactly once, and none twice', async () => {
    const { workspace: other, models } = await makeWorkspace(15);
    const moves = fc.array(fc.uniqueArray(fc.nat({ max: models.length - 1 }), { maxLength: 5 }), { maxLength: 12 });
    const ties = fc.array(fc.nat({ max: 6 }), { minLength: models.length, maxLength: models.length });
    await fc.assert(
      fc.asyncProperty(ties, fc.integer({ min: 1, max: 6 }), moves, async (times, limit, steps) => {
        const start = models.map((model, i) => ({ ...model, last_message_at: base + times[i]! }));
        await place(start);
        const moved = new Set<string>();
        let seconds = 0;
        const seen = await walk({ limit: String(limit) }, other, async (page) => {
          const rising = (steps[page] ?? []).map((i) => ({ ...models[i]!, last_message_at: base + 1000 * ++seconds }));
          for (const { id } of rising) moved.add(id);
          await place(rising);
        });
        assert.equal(new Set(seen).size, seen.length);
        const still = latestFirst(start).filter((id) => !moved.has(id));
        assert.deepEqual(
          seen.filter((id) => !moved.has(id)),
          still,
        );
      }),
      { numRuns: 40 },
    );
  });

  async function place(list: Model[]): Promise<void> {
    await majlis.sql(
      `update conversations c set last_message_at = new.at from unnest($1::uuid[], $2::timestamptz[]) as new (id, at)
       where c.id = new.id`,
      [list.map(({ id }) => parseId('cv', id)), list.map((model) => new Date(model.last_message_at))],
    );
  }

  it('puts a conversation first when either side writes', async () => {
    const { workspace: other, models } = await makeWorkspace();
    const { api, phone_number_id } = other;
    const [lowest] = latestFirst(models).slice(-1) as [string];
    await api.post(`/messages`, { contact_id: models.find(({ id }) => id === lowest)!.contact_id, ...template });
    assert.equal((await walk({}, other))[0], lowest);
    majlis.simulator.inject({ phone_number_id, from: '96891100005', type: 'text', content: 'Hello', name: 'Zoë' });
    const { body } = await eventually(
      () => api.get(`/conversations/${models[5]!.id}`),
      (reply) => reply.body.unread_count === 1,
    );
    assert.equal((await walk({}, other))[0], models[5]!.id);
    assert.equal(body.status, 'open');
  });
});

describe('a conversation', () => {
  it('shows every member that it has, the same by its id and in the list', async () => {
    const { workspace: other, models, users, stages } = await makeWorkspace();
    const [model] = models.slice(1) as [Model];
    const team = other.applied.teams[0].id;
    const at = (seconds: number) => new Date(base + 1000 * seconds).toISOString();
    await majlis.sql(
      `update conversations set team_id = $2, controller = 'bot', unread_count = 3, last_customer_at = $3,
         window_expires_at = $4, last_message_at = $5, stage_id = $6, assignee_id = $7, status = 'closed' where id = $1`,
      [
        ...[parseId('cv', model.id), parseId('team', team), at(1), at(86_401), at(99)],
        ...[parseId('', stages[1]!), parseId('usr', users[0]!)],
      ],
    );
    const expected = {
      id: model.id,
      contact_id: model.contact_id,
      channel_id: other.channel_id,
      channel_type: 'chatapp',
      status: 'closed',
      stage_id: stages[1],
      assignee_id: users[0],
      team_id: team,
      controller: 'bot',
      unread_count: 3,
      tags: model.tags,
      last_customer_at: at(1),
      last_message_at: at(99),
      window_expires_at: at(86_401),
      contact_name: 'MÜNA',
      contact_handle: '+96891100001',
    };
    assert.deepEqual((await other.api.get(`/conversations/${model.id}`)).body, expected);
    assert.deepEqual((await other.api.get('/conversations?limit=1')).body.data, [expected]);
  });

  it('leaves out what it does not have', async () => {
    const { api, channel_id } = await majlis.workspace();
    const { body: sent } = await api.post('/messages', { to: '91234567', ...template });
    const { contact_id, last_message_at, ...body } = (await api.get(`/conversations/${sent.conversation_id}`)).body;
    assert.deepEqual(body, {
      ...{ id: sent.conversation_id, channel_id, channel_type: 'chatapp', status: 'open', controller: 'human' },
      ...{ unread_count: 0, tags: [], contact_handle: '+96891234567' },
    });
    assert.match(contact_id, /^ct_/);
    assert.match(last_message_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is read by any process', async () => {
    const other = await majlis.another();
    const api = createApi(other.url, workspace.key);
    const [{ id }] = models as [Model];
    assert.deepEqual(
      (await api.get(`/conversations/${id}`)).body,
      (await workspace.api.get(`/conversations/${id}`)).body,
    );
    await other.stop();
  });
});
