import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

let workspace: TestWorkspace;
let stage_ids: string[];

before(async () => {
  workspace = await majlis.workspace({ stages: [{ name: 'New lead' }, { name: 'Customer', emoji: '⭐' }] });
  stage_ids = workspace.applied.stages.map(({ id }: { id: string }) => id);
  const fields = [
    { key: 'city', label: 'City', type: 'select', options: ['Muscat', 'Salalah'] },
    ...['text', 'number', 'date', 'boolean'].map((type) => ({ key: type, type })),
    { key: 'a/b~c', type: 'text' },
  ];
  for (const field of fields) assert.equal((await workspace.api.post('/custom-fields', field)).status, 201);
});

const phone = (identifier: string = `+${newDigits()}`) => ({ channel_type: 'chatapp', identifier });
const upsert = (body: unknown, headers?: Record<string, string>) => workspace.api.post('/contacts', body, headers);
const patch = (id: string, body: unknown) => workspace.api.request('PATCH', `/contacts/${id}`, body);

async function made(body: object = {}): Promise<AnyJson> {
  const reply = await upsert({ identities: [phone()], ...body });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

function assertPoints(reply: { status: number; text: string }, pointer: string): void {
  const body = assertRefused(reply);
  assert.equal(body.code, 'unprocessable_content');
  assert.deepEqual(
    body.errors?.map((error) => error.pointer),
    [pointer],
    reply.text,
  );
}

describe('an upsert', () => {
  it('creates a contact, 201, and shows all that was sent', async () => {
    const digits = newDigits();
    const { status, body } = await upsert({
      name: 'منى الحارثي',
      identities: [{ channel_type: 'chatapp', identifier: digits.slice(3), display_name: 'Muna' }],
      email: 'Muna@Example.com',
      language: 'ar',
      vip: true,
      tags: ['vip-list', 'vip-list', 'new'],
      stage_id: stage_ids[0],
      consents: { chatapp_marketing: true, fax: { since: 'ever' } },
      custom_fields: { city: 'Muscat', number: 1e300, date: '2026-02-28', boolean: false, text: '𝒳 "\\' },
    });
    const { id, ...shown } = body;
    assert.equal(status, 201);
    assert.match(id, /^ct_[0-9a-z]{26}$/);
    assert.deepEqual(shown, {
      name: 'منى الحارثي',
      identities: [{ channel_type: 'chatapp', identifier: `+${digits}`, display_name: 'Muna' }],
      email: 'Muna@Example.com',
      language: 'ar',
      vip: true,
      blocked: false,
      tags: ['vip-list', 'new'],
      stage_id: stage_ids[0],
      consents: { chatapp_marketing: true, fax: { since: 'ever' } },
      custom_fields: { city: 'Muscat', number: 1e300, date: '2026-02-28', boolean: false, text: '𝒳 "\\' },
    });
    assert.deepEqual((await workspace.api.get(`/contacts/${id}`)).body, body);
  });

  it('updates who owns one of the identities, 200: what is sent changes, the rest stays', async () => {
    const digits = newDigits();
    const before = await made({
      ...{ name: 'Muna', email: 'muna@example.com', vip: true, tags: ['a', 'b'], identities: [phone(`+${digits}`)] },
      ...{ consents: { chatapp_marketing: true, fax: 1 }, custom_fields: { city: 'Muscat', text: 'x' } },
    });
    const { status, body } = await upsert({
      identities: [phone(`00${digits}`), { channel_type: 'email', identifier: 'Muna@Mail.example' }],
      ...{ tags: ['c'], consents: { fax: 2 }, custom_fields: { city: 'Salalah', text: null } },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      ...before,
      identities: [...before.identities, { channel_type: 'email', identifier: 'muna@mail.example' }],
      ...{ tags: ['c'], consents: { chatapp_marketing: true, fax: 2 }, custom_fields: { city: 'Salalah' } },
    });
    const named = await upsert({
      identities: [{ channel_type: 'email', identifier: 'MUNA@mail.example', display_name: 'M' }],
    });
    assert.deepEqual([named.status, named.body.id], [200, before.id]);
    assert.deepEqual(named.body.identities[1], {
      channel_type: 'email',
      identifier: 'muna@mail.example',
      display_name: 'M',
    });
  });

  it('knows a number in every spelling, by the country of the workspace', async () => {
    const digits = newDigits();
    const { id } = await made({ identities: [phone(`+${digits}`)] });
    const local = digits.slice(3);
    const eastern = local.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!);
    for (const identifier of [
      local,
      `00${digits}`,
      `+968 ${local.slice(0, 4)}-${local.slice(4)}`,
      eastern,
      `\u202a+${digits}\u202c`,
    ]) {
      const { status, body } = await upsert({ identities: [phone(identifier)] });
      assert.deepEqual([status, body.id, body.identities.length], [200, id, 1], identifier);
    }
    const american = await majlis.workspace({ workspace: { name: `US ${digits}`, country: 'US' } });
    assertPoints(await american.api.post('/contacts', { identities: [phone(local)] }), '/identities/0/identifier');
  });

  it('is the contact that wrote or was written to under this number', async () => {
    const digits = newDigits();
    const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
    await workspace.api.post('/messages', { to: `+${digits}`, kind: 'template', template });
    const { status, body } = await upsert({ name: 'Late', identities: [phone(digits)] });
    assert.deepEqual([status, body.name], [200, 'Late']);
  });

  it('takes handles and addresses of the other types of channel, and refuses what is none', async () => {
    const others = [
      ['instagram', ' muna.h '],
      ['messenger', 'Müna H'],
      ['webchat', 'visitor-1'],
      ['email', 'muna+x@example.com'],
      ['sms', '+96824123456'],
      ['chatapp', 'US.13491208655302741918'],
    ].map(([channel_type, identifier]) => ({ channel_type, identifier }));
    const { status, body } = await upsert({ identities: others });
    assert.equal(status, 201);
    assert.deepEqual(
      body.identities.map(({ identifier }: { identifier: string }) => identifier).sort(),
      others.map(({ identifier }) => identifier!.trim()).sort(),
    );
    const refused = [
      ['chatapp', '12'],
      ['chatapp', 'muna'],
      ['sms', 'muna@example.com'],
      ['email', 'muna'],
      ['instagram', ' \u200f '],
      ['instagram', 'x'.repeat(513)],
      ['webchat', ''],
    ];
    for (const [channel_type, identifier] of refused) {
      assertPoints(await upsert({ identities: [phone(), { channel_type, identifier }] }), '/identities/1/identifier');
    }
  });

  it('is refused where its identities belong to two contacts, and changes neither', async () => {
    const [one, two] = [await made({ name: 'One' }), await made({ name: 'Two' })];
    const identities = [phone(), one.identities[0], two.identities[0]];
    assertPoints(await upsert({ name: 'Both', identities }), '/identities/2');
    assertPoints(await upsert({ identities: [identities[0], identities[0], ...identities.slice(1)] }), '/identities/3');
    assert.deepEqual((await workspace.api.get(`/contacts/${one.id}`)).body, one);
    assert.equal((await upsert({ identities: [identities[0]] })).status, 201);
  });

  it('is refused without an identity, with a stage or a field that is not there, and with a value of another type', async () => {
    const [body] = [{ identities: [phone()] }];
    assertPoints(await upsert({ name: 'Nobody' }), '/identities');
    assertPoints(await upsert({ identities: [] }), '/identities');
    const other = await majlis.workspace({ stages: [{ name: 'Theirs' }] });
    for (const stage_id of ['', 'x', '0'.repeat(26), other.applied.stages[0].id]) {
      assertPoints(await upsert({ ...body, stage_id }), '/stage_id');
    }
    const wrong: [string, unknown][] = [
      ...([
        ['none', 1],
        ['toString', 1],
        ['text', 1],
        ['number', '1'],
        ['boolean', 'true'],
      ] as [string, unknown][]),
      ...([
        ['date', '2026-02-30'],
        ['date', 5],
        ['city', 'muscat'],
        ['city', 1],
        ['text', {}],
      ] as [string, unknown][]),
    ];
    for (const [key, value] of wrong) {
      assertPoints(await upsert({ ...body, custom_fields: { [key]: value } }), `/custom_fields/${key}`);
    }
    assertPoints(await upsert({ ...body, custom_fields: { 'a/b~c': 1 } }), '/custom_fields/a~1b~0c');
    assertPoints(await upsert({ ...body, consents: { chatapp_marketing: 'yes' } }), '/consents/chatapp_marketing');
    for (const email of ['muna', 'a@b@c', '']) assertPoints(await upsert({ ...body, email }), '/email');
    assert.equal((await upsert(body)).status, 201, 'what was refused left a contact');
  });

  it('keeps any text as it is, and refuses what no database can hold', async () => {
    for (const name of [
      '\u202e%_\\',
      ' ',
      '',
      '\u001f',
      '😀'.repeat(256),
      'x'.repeat(512),
      '\ufeffA\u0000'.slice(0, -1),
    ]) {
      const { id } = await made({ name, tags: [name], language: name });
      const { body } = await workspace.api.get(`/contacts/${id}`);
      assert.deepEqual([body.name, body.tags, body.language], [name, [name], name]);
    }
    for (const bad of ['"a\\u0000b"', '"\\ud800"', '1e400', '{"__proto__":1}']) {
      const identities = JSON.stringify([phone()]);
      for (const member of ['name', 'email', 'language', 'tags', 'stage_id', 'consents', 'custom_fields', 'vip']) {
        assertRefused(await upsert(`{"identities":${identities},"${member}":${bad}}`), 422, `${member} ${bad}`);
      }
    }
  });

  it('answers the same key from memory, and acts once', async () => {
    const headers = { 'idempotency-key': `upsert ${newDigits()}` };
    const body = { name: 'Once', identities: [phone()] };
    const [first, second] = [await upsert(body, headers), await upsert(body, headers)];
    assert.deepEqual([second.status, second.text], [201, first.text]);
    assert.equal((await upsert({ ...body, name: 'Twice' }, headers)).body.code, 'idempotency_conflict');
  });

  it('makes one contact of many equal ones at once, in any process, with any mix of identities', async () => {
    const other = await majlis.another();
    for (let round = 0; round < 5; round++) {
      const [a, b] = [phone(), phone()];
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          fetch(`${[majlis, other][n % 2]!.url}/v1/contacts`, {
            method: 'POST',
            headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ name: `Racer ${n}`, identities: n % 3 === 0 ? [b, a] : [a, b] }),
          }),
        ),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(19).fill(200), 201]);
      const ids = new Set(await Promise.all(replies.map(async (reply) => ((await reply.json()) as AnyJson).id)));
      assert.equal(ids.size, 1);
    }
    await other.stop();
  });
});

describe('a change of a contact', () => {
  it('changes what is sent and leaves the rest', async () => {
    const { id, ...before } = await made({
      ...{ name: 'Muna', email: 'muna@example.com', language: 'ar', vip: true, tags: ['a'], stage_id: stage_ids[0] },
      ...{ consents: { chatapp_marketing: true }, custom_fields: { city: 'Muscat', number: 7 } },
    });
    let expected: AnyJson = { id, ...before };
    const steps: [AnyJson, AnyJson?][] = [
      [{}],
      [{ name: 'منى' }],
      [{ email: 'm@example.com', language: 'en', vip: false, blocked: true }],
      [{ tags: ['b', 'c', 'b'] }, { tags: ['b', 'c'] }],
      [{ tags: [] }],
      [{ stage_id: stage_ids[1] }],
      [{ custom_fields: { number: 8 } }, { custom_fields: { city: 'Muscat', number: 8 } }],
      [{ custom_fields: { city: null } }, { custom_fields: { number: 8 } }],
    ];
    for (const [body, change = body] of steps) {
      expected = { ...expected, ...change };
      const reply = await patch(id, body);
      assert.deepEqual([reply.status, reply.body], [200, expected]);
      assert.deepEqual((await workspace.api.get(`/contacts/${id}`)).body, expected);
    }
    const { stage_id: _, ...cleared } = expected;
    assert.deepEqual((await patch(id, { stage_id: null })).body, cleared);
  });

  it('is refused as a whole, with what is wrong', async () => {
    const before = await made({ name: 'Muna' });
    const refused: [AnyJson, string][] = [
      [{ stage_id: 'x' }, '/stage_id'],
      [{ custom_fields: { none: 1 } }, '/custom_fields/none'],
      [{ name: null }, '/name'],
      [{ email: 'x' }, '/email'],
      [{ tags: 'x' }, '/tags'],
      [{ tags: [1] }, '/tags/0'],
      [{ vip: 'yes' }, '/vip'],
      [{ blocked: 1 }, '/blocked'],
    ];
    for (const [body, pointer] of refused) {
      const reply = await patch(before.id, { language: 'fr', ...body });
      assertPoints(reply, pointer);
      assert.deepEqual(Object.keys(reply.body.errors[0]), ['detail', 'pointer']);
    }
    assert.deepEqual((await workspace.api.get(`/contacts/${before.id}`)).body, before);
  });

  it('loses none of two changes at once', async () => {
    const { id } = await made();
    await Promise.all([
      ...Array.from({ length: 5 }, () => patch(id, { custom_fields: { number: 1 } })),
      ...Array.from({ length: 5 }, () => patch(id, { custom_fields: { text: 'x' } })),
      ...Array.from({ length: 5 }, () => patch(id, { name: 'Muna' })),
    ]);
    const { body } = await workspace.api.get(`/contacts/${id}`);
    assert.deepEqual([body.name, body.custom_fields], ['Muna', { number: 1, text: 'x' }]);
  });

  it('asks for the scopes of contacts', async () => {
    const { id } = await made();
    const scopes = [['messages:write'], ['contacts:read'], ['contacts:write']];
    const api_keys = scopes.map(([scope]) => ({ name: scope!, environment: 'test', scopes: [scope] }));
    const { workspace: given } = workspace.applied;
    const { body } = await majlis.operator('PUT', '/workspaces', { workspace: { name: given.name }, api_keys });
    const keys = new Map(body.api_keys.map(({ name, key }: AnyJson) => [name, key]));
    for (const [[scope], reads, writes] of [
      [scopes[0]!, 403, 403],
      [scopes[1]!, 200, 403],
      [scopes[2]!, 403, 200],
    ] as const) {
      const headers = { authorization: `Bearer ${keys.get(scope!)}` };
      assert.equal((await workspace.api.get('/contacts', headers)).status, reads);
      assert.equal((await workspace.api.get(`/contacts/${id}`, headers)).status, reads);
      assert.equal((await workspace.api.request('PATCH', `/contacts/${id}`, {}, headers)).status, writes);
      assert.equal((await workspace.api.post('/contacts/import', { contacts: [] }, headers)).status, writes);
    }
  });
});
