import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import { newDigits } from '@majlis/testing/messages';
import { assertSeenOnce, type ListQuery, pageThrough } from '@majlis/testing/page-through';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { foldText } from '../src/database/fold-text.ts';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '6', PAGE_SIZE_MAX: '12' } });
const base = Date.parse('2026-11-20T09:00:00Z');
const stages = [{ name: 'New lead' }, { name: 'Customer' }];

const names = [
  ...['Muna Said', 'MÜNA', 'منى الحارثي', 'مُنَى', 'أحمد', 'احمد ١٢٣', 'فاطمة', 'رؤى', 'ﻣﺤﻤﺪ', 'محـــمد', 'علی'],
  ...['100% wool', '100 wool', 'a_b', 'axb', 'c\\d', undefined],
];
const emails = ['muna@example.com', 'Sara.X@Shop.example', undefined];

interface Model {
  id: string;
  name: string | undefined;
  email: string | undefined;
  phone: string;
  tags: string[];
  stage_id: string | undefined;
  channel_types: string[];
  active_at: number;
}

let workspace: TestWorkspace;
let models: Model[];
let stage_ids: string[];

before(async () => {
  workspace = await majlis.workspace({ stages });
  stage_ids = workspace.applied.stages.map(({ id }: { id: string }) => id);
  models = await makeContacts(workspace, 34);
});

async function makeContacts({ api, applied }: TestWorkspace, count: number): Promise<Model[]> {
  const ids = applied.stages.map(({ id }: { id: string }) => id);
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const model = {
        name: names[n % names.length],
        email: emails[n % emails.length],
        phone: `+96891${100_000 + n * 37}`,
        tags: ['vip', 'new', 'ع', '100%'].filter((_, i) => (n >> i) % 2 === 0),
        stage_id: [...ids, undefined][(n >> 1) % 3],
        channel_types: n % 8 === 7 ? ['chatapp', 'instagram'] : ['chatapp'],
        // Many in the same millisecond: the id decides between them. Every fourth was never active.
        active_at: base + Math.floor(n / 5),
      };
      const identities = [{ channel_type: 'chatapp', identifier: model.phone }];
      if (model.channel_types[1]) identities.push({ channel_type: 'instagram', identifier: `handle.${n}` });
      const { name, email, tags, stage_id } = model;
      const { status, body, text } = await api.post('/contacts', { name, email, tags, stage_id, identities });
      assert.equal(status, 201, text);
      const [active, created] = n % 4 === 0 ? [null, model.active_at] : [model.active_at, base - 1000];
      await majlis.sql('update contacts set last_activity_at = $2, created_at = $3 where id = $1', [
        ...[parseId('contact', body.id), active === null ? null : new Date(active), new Date(created)],
      ]);
      return { ...model, id: body.id as string };
    }),
  );
}

async function walk(
  query: ListQuery,
  { api }: TestWorkspace = workspace,
  between?: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const pages = await pageThrough(api, '/contacts', query, between);
  for (const page of pages) assert.ok(page.length <= Math.min(12, Number(query.limit ?? 6)));
  return pages.flat();
}

const latestFirst = (list: Model[]) =>
  list.toSorted((a, b) => b.active_at - a.active_at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

function meets(model: Model, { tag, stage_id, channel_type, q }: ListQuery): boolean {
  const texts = [model.name, model.email, model.phone].map((text) => foldText(text ?? ''));
  const asked: [string | undefined, boolean][] = [
    [tag, model.tags.includes(tag!)],
    [stage_id, model.stage_id === stage_id],
    [channel_type, model.channel_types.includes(channel_type!)],
    [q, texts.some((text) => text.includes(foldText(q ?? '')))],
  ];
  return asked.every(([given, holds]) => given === undefined || holds);
}

async function assertListed(query: ListQuery): Promise<void> {
  const { limit: _, ...filters } = query;
  const expected = latestFirst(models.filter((model) => meets(model, filters)));
  assert.deepEqual(await walk(query), expected, JSON.stringify(query));
}

const found = async (q: string) => {
  const ids = await walk({ q });
  return new Set(ids.map((id) => models.find((model) => model.id === id)!.name));
};

describe('the list of contacts', () => {
  it('has the newest activity first, who was never active where it was created, and each once', async () => {
    for (const limit of [undefined, '1', '5', '12', '33', '34', '1000000000']) await assertListed({ limit });
  });

  it('is filtered by tag, stage and type of channel', async () => {
    for (const tag of ['vip', 'new', 'ع', '100%', 'VIP', 'vi', '%']) await assertListed({ tag });
    for (const stage_id of [...stage_ids, '0'.repeat(26), 'New lead']) await assertListed({ stage_id });
    for (const channel_type of ['chatapp', 'instagram', 'email']) await assertListed({ channel_type });
  });

  it('is filtered by any mix of members, page by page', async () => {
    const one = <Member>(values: Member[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
    const query = fc.record({
      channel_type: one(['chatapp', 'instagram']),
      stage_id: one(stage_ids),
      tag: one(['vip', 'new', 'ع', '100%']),
      q: one(['m', 'من', 'wool', 'ا', '0', 'example', '9689', 'zz']),
      limit: one(['1', '2', '5']),
    });
    await fc.assert(fc.asyncProperty(query, assertListed), { numRuns: 80 });
  });

  it('finds a name by any part of it, with letters folded', async () => {
    const asked: [q: string, names: string[]][] = [
      ['مني', ['منى الحارثي', 'مُنَى']],
      ['مُنَـــى', ['منى الحارثي', 'مُنَى']],
      ['إحمد', ['أحمد', 'احمد ١٢٣']],
      ['احمد ١٢', ['احمد ١٢٣']],
      ['احمد ۱۲۳', ['احمد ١٢٣']],
      ['فاطمه', ['فاطمة']],
      ['روي', ['رؤى']],
      ['محمد', ['ﻣﺤﻤﺪ', 'محـــمد']],
      ['على', ['علی']],
      ['\u200fالحارثي\u200e', ['منى الحارثي']],
      ['\u061cالحارثي', ['منى الحارثي']],
      ['una s', ['Muna Said']],
      ['0%', ['100% wool']],
      ['%', ['100% wool']],
      ['_', ['a_b']],
      ['\\', ['c\\d']],
      ['a%b', []],
      ['.*', []],
      ["' or 1=1 --", []],
      ['x'.repeat(512), []],
      ['م'.repeat(512), []],
    ];
    for (const [q, expected] of asked) assert.deepEqual(await found(q), new Set(expected), q.slice(0, 40));
  });

  it('finds an e-mail address by any part of it, in any case', async () => {
    const addressed = models.filter(({ email }) => email === 'Sara.X@Shop.example');
    for (const q of ['sara.x@shop.example', 'SARA', 'x@sh', '@']) {
      const ids = await walk({ q });
      for (const { id } of addressed) assert.ok(ids.includes(id), q);
    }
  });

  it('finds a handle by any part of it, with letters folded', async () => {
    const other = await majlis.workspace();
    const identities = [{ channel_type: 'instagram', identifier: 'أُمّ_Ünal' }];
    const { body } = await other.api.post('/contacts', { identities });
    for (const q of ['أُمّ_Ünal', 'unal', 'ÜNAL', 'ام_']) assert.deepEqual(await walk({ q }, other), [body.id], q);
  });

  it('finds a phone number as it is typed', async () => {
    const { id, phone } = models[7]!;
    const local = phone.slice(4);
    const typed = [
      ...[phone, local, `00968${local}`, `968 ${local}`, `+968 ${local.slice(0, 4)} ${local.slice(4)}`],
      ...[`${local.slice(0, 4)}-${local.slice(4)}`, `(+968) ${local}`, local.slice(2), `\u202a${phone}\u202c`],
      ...[local.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)],
    ];
    for (const q of typed) assert.deepEqual(await walk({ q }), [id], q);
  });

  it('holds everyone where q is empty', async () => {
    for (const q of ['\u0640', ' ']) assert.deepEqual(await walk({ q }), latestFirst(models));
    assert.equal((await workspace.api.get('/contacts?q=&limit=12')).body.data.length, 12);
  });

  it('knows nothing of other workspaces', async () => {
    const other = await majlis.workspace({ stages });
    const theirs = await makeContacts(other, 8);
    assert.deepEqual(
      await walk({ q: 'muna' }, other),
      latestFirst(theirs.filter((model) => meets(model, { q: 'muna' }))),
    );
    await assertListed({ q: 'muna' });
  });

  it('takes a cursor for the list alone that gave it', async () => {
    const { body } = await workspace.api.get('/contacts?q=m&limit=1');
    const other = await majlis.workspace();
    const cursor = body.next_cursor as string;
    assert.equal((await workspace.api.get(`/contacts?q=m&cursor=${cursor}`)).status, 200);
    const altered = `${cursor.slice(0, 9)}${cursor[9] === 'A' ? 'B' : 'A'}${cursor.slice(10)}`;
    for (const path of [
      `?q=mu&cursor=${cursor}`,
      `?cursor=${cursor}`,
      `?q=m&tag=vip&cursor=${cursor}`,
      `?q=m&cursor=${altered}`,
    ]) {
      assertRefused(await workspace.api.get(`/contacts${path}`));
    }
    assertRefused(await other.api.get(`/contacts?q=m&cursor=${cursor}`));
    for (const query of ['limit=0', 'limit=x', 'channel_type=fax', 'q=%00']) {
      assertRefused(await workspace.api.get(`/contacts?${query}`));
    }
  });

  it('shows each that did not move exactly once while others move', async () => {
    const other = await majlis.workspace({ stages });
    const theirs = await makeContacts(other, 15);
    const moves = fc.array(fc.uniqueArray(fc.nat({ max: 14 }), { maxLength: 5 }), { maxLength: 8 });
    let seconds = 0;
    const place = (id: string, at: number) =>
      majlis.sql('update contacts set last_activity_at = $2 where id = $1', [parseId('contact', id), new Date(at)]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), moves, async (limit, steps) => {
        await Promise.all(theirs.map(({ id }, n) => place(id, base + (n % 3))));
        const start = theirs.map((model, n) => ({ ...model, active_at: base + (n % 3) }));
        const moved = new Set<string>();
        const seen = await walk({ limit: String(limit) }, other, async (page) => {
          for (const n of steps[page] ?? []) {
            moved.add(theirs[n]!.id);
            await place(theirs[n]!.id, base + 1000 * ++seconds);
          }
        });
        assertSeenOnce(seen, latestFirst(start), moved);
      }),
      { numRuns: 25 },
    );
  });
});

describe('what a contact is searched by', () => {
  it('follows the name and the number that the platform tells', async () => {
    const { api, phone_number_id } = workspace;
    const from = newDigits();
    majlis.simulator.inject({ phone_number_id, from, type: 'text', content: 'Hello', name: 'Zaynab' });
    await untilFound('zaynab', 1);
    assert.equal((await walk({ q: from })).length, 1);
    const { id } = (await api.get('/contacts?q=zaynab')).body.data[0];
    await api.request('PATCH', `/contacts/${id}`, { name: 'Qamar', email: 'q@moon.example', tags: ['moonlit'] });
    assert.deepEqual(await walk({ q: 'zaynab' }), []);
    for (const query of [{ q: 'qamar' }, { q: 'moon.ex' }, { tag: 'moonlit' }, { q: from }]) {
      assert.deepEqual(await walk(query), [id]);
    }
    await api.post('/contacts', {
      identities: [
        { channel_type: 'instagram', identifier: 'qamar.moon' },
        { channel_type: 'chatapp', identifier: from },
      ],
    });
    assert.deepEqual(await walk({ q: 'r.moon' }), [id]);
    assert.deepEqual(await walk({ q: 'qamar', channel_type: 'instagram' }), [id]);
    await assertSearchIsTrue();
  });

  it('is whole for a long name', async () => {
    const { api } = workspace;
    const name = `${'long '.repeat(100)}needle`;
    const { body } = await api.post('/contacts', {
      name,
      identities: [{ channel_type: 'chatapp', identifier: newDigits() }],
    });
    assert.deepEqual(await walk({ q: 'NEEDLE' }), [body.id]);
    assert.equal((await api.get(`/contacts/${body.id}`)).body.name, name);
  });

  async function untilFound(q: string, count: number) {
    await eventually(
      () => walk({ q }),
      ({ length }) => length === count,
    );
  }

  /** What is indexed is what the rows say. */
  async function assertSearchIsTrue(): Promise<void> {
    const rows = await majlis.sql(`
      select c.id from contacts c left join contact_search s on s.workspace_id = c.workspace_id and s.contact_id = c.id
      cross join lateral (
        select string_agg(identifier_key, '' order by identifier) as keys, array_agg(distinct channel_type) as channel_types
        from contact_identities o where o.workspace_id = c.workspace_id and o.contact_id = c.id) i
      where (s.name_key, s.address_key, s.tags, s.stage_id, s.channel_types)
        is distinct from (c.name_key, c.email_key || i.keys, c.tags, c.stage_id, i.channel_types)`);
    assert.deepEqual(rows, []);
  }
});
