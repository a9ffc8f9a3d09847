import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

let workspace: TestWorkspace;

before(async () => {
  workspace = await majlis.workspace({ stages: [{ name: 'Customer' }] });
  await workspace.api.post('/custom-fields', { key: 'city', type: 'select', options: ['Muscat'] });
});

const importing = (contacts: unknown, { api }: Pick<TestWorkspace, 'api'> = workspace) =>
  api.post('/contacts/import', { contacts });
const row = (identifier: string, more: object = {}) => ({
  identities: [{ channel_type: 'chatapp', identifier }],
  ...more,
});

async function contactOf(digits: string): Promise<AnyJson> {
  const { body } = await workspace.api.get(`/contacts?q=${digits}`);
  assert.equal(body.data.length, 1, digits);
  return body.data[0];
}

/** One number in the ways in which people write it. */
const spellings = [
  (digits: string) => `+${digits}`,
  (digits: string) => `00${digits}`,
  (digits: string) => digits.slice(3),
  (digits: string) => `+968 ${digits.slice(3, 7)} ${digits.slice(7)}`,
  (digits: string) => digits.slice(3).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!),
];

describe('an import of more contacts than start workflows at once', () => {
  it('starts the workflows of each tag that each contact gains, and those of no other', async () => {
    const steps = [{ do: 'end' }];
    const ours = await majlis.workspace({
      workflows: [{ name: 'Tagged', status: 'published', trigger: 'contact_tagged', steps }],
    });
    const people = Array.from({ length: 50 }, newDigits);
    const rows = (tags: string[]) => people.map((digits) => row(digits, { tags }));
    const runs = async () => {
      const [counted] = await majlis.sql<{ runs: number; contacts: number }>(
        'select count(*)::int as runs, count(distinct contact_id)::int as contacts from workflow_runs where workspace_id = $1',
        [parseId('workspace', ours.id)],
      );
      return counted!;
    };
    await importing(rows(['a', 'b']), ours);
    await eventually(runs, ({ runs, contacts }) => runs === 100 && contacts === 50);
    // Those that they had start nothing.
    await importing(rows(['b', 'c']), ours);
    await eventually(runs, ({ runs }) => runs >= 150);
    assert.deepEqual(await runs(), { runs: 150, contacts: 50 });
  });
});

describe('an import', () => {
  it('creates whom it does not know and updates the others', async () => {
    const [known, unknown] = [newDigits(), newDigits()];
    await workspace.api.post('/contacts', row(known, { name: 'Before', tags: ['old'] }));
    const { status, body } = await importing([row(known, { name: 'After', vip: true }), row(unknown, { name: 'New' })]);
    assert.deepEqual([status, body], [200, { created: 1, updated: 1, failed: [] }]);
    const contact = await contactOf(known);
    assert.deepEqual([contact.name, contact.vip, contact.tags], ['After', true, ['old']]);
    assert.equal((await contactOf(unknown)).name, 'New');
  });

  it('says of each row that does not validate why, by its place, and imports the rest', async () => {
    const good = Array.from({ length: 1_000 }, () => row(newDigits(), { tags: ['good'] }));
    const [email, phone, handle] = [
      { channel_type: 'email', identifier: 'no address' },
      { channel_type: 'chatapp', identifier: '+973 1234 5678' },
      { channel_type: 'instagram', identifier: '' },
    ];
    const bad: [AnyJson, string][] = [
      [row('12'), 'invalid_phone'],
      [{ identities: [phone] }, 'invalid_phone'],
      [{ identities: [email, phone] }, 'invalid_phone'],
      [{ identities: [email] }, 'unprocessable_content'],
      [{ identities: [handle] }, 'unprocessable_content'],
      [{ identities: [] }, 'unprocessable_content'],
      [{}, 'unprocessable_content'],
      [null, 'unprocessable_content'],
      ['x', 'unprocessable_content'],
      [[], 'unprocessable_content'],
      [7, 'unprocessable_content'],
      [row(newDigits(), { email: 'x' }), 'unprocessable_content'],
      [row(newDigits(), { vip: 'x' }), 'unprocessable_content'],
      [row(newDigits(), { stage_id: 'x' }), 'unprocessable_content'],
      [row(newDigits(), { custom_fields: { city: 'Paris' } }), 'unprocessable_content'],
      [row(newDigits(), { consents: { chatapp_marketing: 1 } }), 'unprocessable_content'],
      [{ identities: [{ channel_type: 'fax', identifier: '1' }] }, 'unprocessable_content'],
    ];
    const places = [0, 499, 999, ...bad.slice(3).map((_, n) => 17 + n * 31)];
    const contacts: AnyJson[] = [...good];
    for (const [n, place] of places.entries()) contacts[place] = bad[n]![0];
    const { status, body } = await importing(contacts);
    assert.equal(status, 200);
    assert.deepEqual([body.created, body.updated], [1_000 - bad.length, 0]);
    const expected = places.map((index, n) => ({ index, code: bad[n]![1] })).sort((a, b) => a.index - b.index);
    assert.deepEqual(body.failed, expected);
    const { body: tags } = await workspace.api.get('/tags');
    assert.deepEqual(
      tags.data.find(({ name }: AnyJson) => name === 'good'),
      { name: 'good', contacts: 1_000 - bad.length },
    );
  });

  it('applies rows for one contact in their order, in whatever spelling', async () => {
    const digits = newDigits();
    const contacts = spellings.map((spell, n) => row(spell(digits), { name: `Name ${n}`, tags: [`tag ${n}`] }));
    contacts.push(row(digits, { email: 'last@example.com' }));
    assert.deepEqual((await importing(contacts)).body, { created: 1, updated: 5, failed: [] });
    const contact = await contactOf(digits);
    assert.deepEqual([contact.name, contact.tags, contact.email], ['Name 4', ['tag 4'], 'last@example.com']);
    assert.equal(contact.identities.length, 1);
  });

  it('is what the same upserts are one by one', async () => {
    const step = fc.record({
      people: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 1, maxLength: 2 }),
      spelling: fc.nat({ max: spellings.length - 1 }),
      change: fc.record(
        {
          name: fc.constantFrom('Muna', 'Salim'),
          tags: fc.subarray(['a', 'b']),
          custom_fields: fc.constantFrom({}, { city: 'Muscat' }, { city: null }, { city: 'Paris' }),
          consents: fc.constantFrom({ chatapp_marketing: true }, { fax: 1 }),
        },
        { requiredKeys: [] },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const rowsFor = (people: string[]) =>
          steps.map(({ people: chosen, spelling, change }) => ({
            identities: chosen.map((n) => ({ channel_type: 'chatapp', identifier: spellings[spelling]!(people[n]!) })),
            ...change,
          }));
        const [together, alone] = [0, 1].map(() => Array.from({ length: 5 }, newDigits)) as [string[], string[]];
        const { body } = await importing(rowsFor(together));
        const counts = { created: 0, updated: 0, failed: [] as unknown[] };
        for (const [index, contact] of rowsFor(alone).entries()) {
          const { status } = await workspace.api.post('/contacts', contact);
          if (status === 201) counts.created++;
          else if (status === 200) counts.updated++;
          else counts.failed.push({ index, code: 'unprocessable_content' });
        }
        assert.deepEqual(body, counts);
        assert.equal(body.created + body.updated + body.failed.length, steps.length);
        for (const [n, digits] of together.entries()) {
          const shown = await Promise.all([digits, alone[n]!].map((of) => workspace.api.get(`/contacts?q=${of}`)));
          const [a, b] = shown.map(({ body: { data } }) =>
            data.map(({ name, tags, custom_fields, consents, identities }: AnyJson) => ({
              ...{ name, tags, custom_fields, consents },
              people: identities
                .map(({ identifier }: AnyJson) => [...together, ...alone].indexOf(identifier.slice(1)) % 5)
                .sort(),
            })),
          );
          assert.deepEqual(a, b);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('takes 1,000 rows and no more', async () => {
    const rows = Array.from({ length: 1_001 }, () => row(newDigits()));
    assertRefused(await importing(rows));
    for (const body of [{}, { contacts: {} }, { contacts: null }]) {
      assertRefused(await workspace.api.post('/contacts/import', body));
    }
    assert.deepEqual((await importing([])).body, { created: 0, updated: 0, failed: [] });
    assert.deepEqual((await importing(rows.slice(1))).body, { created: 1_000, updated: 0, failed: [] });
  });

  it('is asked ten times a minute at most', async () => {
    const limited = await majlis.another({ RATE_LIMITS: 'on' });
    const { key } = await majlis.workspace();
    const api = createApi(limited.url, key);
    for (let n = 0; n < 10; n++) assert.equal((await importing([], { api })).status, 200);
    const reply = await importing([], { api });
    assert.deepEqual([reply.status, reply.body.code], [429, 'rate_limited']);
    assert.equal((await api.get('/contacts')).status, 200);
    await limited.stop();
  });
});

describe('imports of the same people at once', () => {
  for (const known of [false, true]) {
    it(`end without a deadlock in whatever order they name ${known ? 'known' : 'new'} people, who stay single`, async () => {
      const services = [await majlis.another(), await majlis.another()];
      const people = Array.from({ length: 200 }, newDigits);
      if (known) await importing(people.map((digits) => row(digits)));
      const apis = services.map(({ url }) => createApi(url, workspace.key));
      const sends = people.slice(0, 40).map((digits, n) => {
        const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
        return apis[n % 2]!.post('/messages', { to: `+${digits}`, kind: 'template', template });
      });
      const inbound = Array.from({ length: 4 }, (_, n) =>
        postNotification(majlis, workspace, {
          messages: people.filter((_, i) => i % 4 === n).map((from) => platformText(from, 'hello')),
        }),
      );
      const imports = Array.from({ length: 8 }, (_, n) => {
        const order = n % 2 === 0 ? people : people.toReversed();
        const rows = order.map((digits, i) => {
          const identity = { channel_type: 'chatapp', identifier: spellings[n % 5]!(digits), display_name: `N${n}` };
          return { name: `Name ${n}`, tags: [`t${(n + i) % 3}`], identities: [identity] };
        });
        return apis[n % 2]!.post('/contacts/import', { contacts: rows });
      });
      for (const { status, body, text } of await Promise.all(imports)) {
        assert.equal(status, 200, text);
        assert.deepEqual([body.created + body.updated, body.failed], [200, []]);
      }
      for (const { status, text } of await Promise.all(sends)) assert.equal(status, 201, text);
      await Promise.all(inbound);
      await untilNotificationsProcessed(majlis);
      const [single] = await majlis.sql(
        `select count(*)::int as identities, count(distinct contact_id)::int as contacts from contact_identities where identifier = any($1)`,
        [people.map((digits) => `+${digits}`)],
      );
      assert.deepEqual(single, { identities: 200, contacts: 200 });
      await assertTagsAreCounted();
      await assertSearchFollows();
      // A session reports its part in deadlocks when it ends.
      await Promise.all(services.map((service) => service.stop()));
      const [counted] = await majlis.sql('select deadlocks from pg_stat_database where datname = current_database()');
      assert.deepEqual(counted, { deadlocks: 0 });
    });
  }

  /** The searched row of a contact says what the contact and its identities say. */
  async function assertSearchFollows(): Promise<void> {
    const rows = await majlis.sql<{ agrees: boolean }>(
      `select (s.name_key, s.address_key, s.tags) is not distinct from (c.name_key, c.email_key || i.keys, c.tags) as agrees
       from contacts c left join contact_search s on s.workspace_id = c.workspace_id and s.contact_id = c.id
       cross join lateral (select string_agg(o.identifier_key, '' order by o.identifier) as keys
         from contact_identities o where o.workspace_id = c.workspace_id and o.contact_id = c.id) i`,
    );
    assert.ok(rows.length >= 200);
    assert.equal(rows.filter(({ agrees }) => !agrees).length, 0);
  }

  async function assertTagsAreCounted(): Promise<void> {
    const rows = await majlis.sql(
      `select tag as name, count(*)::int as contacts from contacts c, unnest(c.tags) as tag
       where workspace_id = $1 group by tag order by tag`,
      [parseId('workspace', workspace.id)],
    );
    assert.deepEqual((await workspace.api.get('/tags')).body.data, rows);
  }
});
