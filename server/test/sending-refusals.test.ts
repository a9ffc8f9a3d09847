import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reply } from '@majlis/testing/api';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;

describe('refuses with 422 and a pointer', () => {
  const to = `+${newDigits()}`;
  const text = { kind: 'text', body: 'Hi' };
  const media = { to, media_id: 'med_01k9zzzzzzzzzzzzzzzzzzzzzz' };
  const cases: [string, object, string][] = [
    ['nobody to send to', text, '/to'],
    ['what is no number', { to: 'Muna', ...text }, '/to'],
    ['a number that nobody can have', { to: '+973 1234 5678', ...text }, '/to'],
    ['an unknown contact', { contact_id: 'ct_01k9zzzzzzzzzzzzzzzzzzzzzz', ...text }, '/contact_id'],
    ['what is no contact id', { contact_id: 'Muna', ...text }, '/contact_id'],
    ['an unknown channel', { to, channel_id: 'ch_wa_01k9zzzzzzzzzzzzzzzzzzzzzz', ...text }, '/channel_id'],
    ['what is no channel id', { to, channel_id: '300400', ...text }, '/channel_id'],
    ['an unknown quoted message', { to, reply_to_id: 'msg_01k9zzzzzzzzzzzzzzzzzzzzzz', ...text }, '/reply_to_id'],
    ['what is no message id', { to, reply_to_id: 'wamid.1', ...text }, '/reply_to_id'],
    ['a text without its text', { to, kind: 'text' }, '/body'],
    ['an empty text', { to, kind: 'text', body: '' }, '/body'],
    ['a template without its members', { to, kind: 'template' }, '/template'],
    ['a template without a name', { to, kind: 'template', template: { language: 'en' } }, '/template/name'],
    [
      'a template without a language',
      { to, kind: 'template', template: { name: 'order_update' } },
      '/template/language',
    ],
    ['a place without a latitude', { to, kind: 'location', location: { longitude: 1 } }, '/location/latitude'],
    ['a place without a longitude', { to, kind: 'location', location: { latitude: 1 } }, '/location/longitude'],
    ['a place without a place', { to, kind: 'location' }, '/location'],
    [
      'a place with words, which nobody would see',
      { to, kind: 'location', body: 'Here', location: { latitude: 1, longitude: 1 } },
      '/body',
    ],
    [
      'a template with words of its own, which nobody would see',
      { to, kind: 'template', body: 'Hello', template: { name: 'order_update', language: 'en', params: ['a', 'b'] } },
      '/body',
    ],
    ['buttons without a type', { to, kind: 'interactive', interactive: { buttons: [] } }, '/interactive/type'],
    ['buttons without buttons', { to, kind: 'interactive', interactive: { type: 'list' } }, '/interactive/buttons'],
    ['buttons without anything', { to, kind: 'interactive' }, '/interactive'],
    ['a reaction without its emoji', { to, kind: 'reaction', reply_to_id: 'msg_1' }, '/reply_to_id'],
    ['a reaction to nothing', { to, kind: 'reaction', body: '👍' }, '/reply_to_id'],
    ['an image without a file', { to, kind: 'image', body: 'Front' }, '/media_id'],
    ['an unknown kind', { to, kind: 'poem', body: 'Roses' }, '/kind'],
  ];
  for (const [name, body, pointer] of cases) {
    it(name, async () => assertInvalid(await assertNothingDone(() => api.post('/messages', body)), pointer));
  }

  for (const kind of ['image', 'video', 'file', 'voice']) {
    it(`an unknown file for ${kind}: media_not_found`, async () => {
      const { status, body } = await assertNothingDone(() => api.post('/messages', { kind, ...media }));
      assert.deepEqual([status, body.code], [422, 'media_not_found']);
    });
  }

  it('an unknown file that the kind does not even take: media_not_found', async () => {
    for (const content of [
      text,
      { kind: 'template', template: { name: 'order_update', language: 'en', params: ['a', 'b'] } },
      { kind: 'location', location: { latitude: 1, longitude: 1 } },
    ]) {
      for (const media_id of [media.media_id, 'med_zz']) {
        const send = { to, ...content, media_id };
        const { status, body } = await assertNothingDone(() => api.post('/messages', send));
        assert.deepEqual([status, body.code], [422, 'media_not_found'], content.kind);
      }
    }
  });

  it('a number that is another contact’s than the one named', async () => {
    const [one, two] = [newDigits(), newDigits()];
    const { contact_id } = await receiveMessage(majlis, workspace, one);
    await receiveMessage(majlis, workspace, two);
    assertInvalid(await api.post('/messages', { to: `+${two}`, contact_id, ...text }), '/to');
    assertInvalid(await api.post('/messages', { to: `+${newDigits()}`, contact_id, ...text }), '/to');
  });

  it('a quoted message of another conversation', async () => {
    const [one, two] = [
      await receiveMessage(majlis, workspace, newDigits()),
      await receiveMessage(majlis, workspace, newDigits()),
    ];
    const body = { ...text, reply_to_id: one.message_id };
    assertInvalid(await api.post(`/conversations/${two.conversation_id}/messages`, body), '/reply_to_id');
    assertInvalid(await api.post('/messages', { to: `+${newDigits()}`, ...body }), '/reply_to_id');
  });
});

describe('refuses what the platform is known to refuse, with a pointer and the limit, on both sends', () => {
  const buttons = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `${n}`, title: `${n}` }));
  const choices = (type: string, count: number) => ({
    ...{ kind: 'interactive', body: 'Which?', interactive: { type, buttons: buttons(count) } },
  });
  const caption = { kind: 'image', media_id: 'med_01k9zzzzzzzzzzzzzzzzzzzzzz', body: 'x'.repeat(1_025) };
  const cases: [string, object, string, string][] = [
    ['a long text', { kind: 'text', body: 'x'.repeat(4_097) }, '/body', '4096'],
    ['a long caption', caption, '/body', '1024'],
    ['latitude 123', { kind: 'location', location: { latitude: 123, longitude: 0 } }, '/location/latitude', '90'],
    ['longitude -181', { kind: 'location', location: { latitude: 0, longitude: -181 } }, '/location/longitude', '180'],
    ['a fourth button', choices('buttons', 4), '/interactive/buttons', '3'],
    ['an eleventh row', choices('list', 11), '/interactive/buttons', '10'],
  ];
  for (const [name, content, pointer, limit] of cases) {
    it(name, async () => {
      const digits = newDigits();
      const { conversation_id } = await receiveMessage(majlis, workspace, digits);
      for (const [path, body] of [
        ['/messages', { to: `+${digits}`, ...content }],
        [`/conversations/${conversation_id}/messages`, content],
      ] as const) {
        const reply = await assertNothingDone(() => api.post(path, body));
        assertInvalid(reply, pointer);
        assert.match(reply.body.errors[0].detail, new RegExp(`\\b${limit}\\b`));
      }
    });
  }
});

describe('what stands against a send is told in the contract’s order, on both sends', () => {
  const absent = { name: 'of_nobody', language: 'en' };
  const present = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
  const marketing = { name: 'spring_sale', language: 'en' };

  /** Each step takes away what the answer named, until nothing is left. `state` is what stands in the database. */
  const text = [
    ['unprocessable_content', {}],
    ['contact_blocked', { body: 'Hi' }],
    ['conversation_closed', { blocked: false }],
    ['bot_in_control', { status: 'open' }],
    ['window_closed', { controller: 'human' }],
    [undefined, { window: 'open' }],
  ] as const;
  const template = [
    ['unprocessable_content', {}],
    ['template_not_found', { template: absent }],
    ['unprocessable_content', { template: { ...present, params: ['Muna'] } }],
    ['unprocessable_content', { template: marketing }],
    ['contact_blocked', { template: present }],
    ['conversation_closed', { blocked: false }],
    ['bot_in_control', { status: 'open' }],
    [undefined, { controller: 'human' }],
  ] as const;

  for (const [kind, steps] of Object.entries({ text, template })) {
    for (const reopens of [true, false]) {
      it(`${kind} by ${reopens ? 'POST /v1/messages' : 'the conversation'}`, async () => {
        const digits = newDigits();
        const { conversation_id } = await receiveMessage(majlis, workspace, digits);
        const state = { blocked: true, status: 'closed', controller: 'bot', window: 'closed' };
        const path = reopens ? '/messages' : `/conversations/${conversation_id}/messages`;
        let body: object = { kind, ...(reopens && { to: `+${digits}` }) };
        for (const [code, change] of steps) {
          if ('body' in change || 'template' in change) body = { ...body, ...change };
          else Object.assign(state, change);
          await set(conversation_id, state);
          // Closed is no obstacle to the send that reopens: there the next thing is named.
          if (reopens && code === 'conversation_closed') continue;
          if (code === undefined) {
            assert.equal((await api.post(path, body)).status, 201);
            continue;
          }
          const reply = await assertNothingDone(() => api.post(path, body));
          assert.equal(reply.body.code, code, `${JSON.stringify(body)} in ${JSON.stringify(state)}: ${reply.text}`);
          assert.equal(reply.status, code.endsWith('content') || code.endsWith('found') ? 422 : 409);
        }
      });
    }
  }

  async function set(id: string, state: { blocked: boolean; status: string; controller: string; window: string }) {
    const uuid = parseId('conversation', id);
    await majlis.sql(
      `update conversations set status = $2, controller = $3,
         window_expires_at = now() + case when $4 = 'open' then interval '1 hour' else interval '-1 hour' end where id = $1`,
      [uuid, state.status, state.controller, state.window],
    );
    await majlis.sql(
      'update contacts set blocked = $2 where id = (select contact_id from conversations where id = $1)',
      [uuid, state.blocked],
    );
  }
});

it('refuses all but a template to someone who has never written: 409 window_closed', async () => {
  for (const send of [
    { kind: 'text', body: 'Hi' },
    { kind: 'location', location: { latitude: 1, longitude: 1 } },
    { kind: 'interactive', body: 'Which?', interactive: { type: 'buttons', buttons: [{ id: 'a', title: 'A' }] } },
  ]) {
    const { status, body } = await assertNothingDone(() => api.post('/messages', { to: `+${newDigits()}`, ...send }));
    assert.deepEqual([status, body.code], [409, 'window_closed']);
  }
});

it('reopens a closed conversation by POST /v1/messages, and not where the send is refused', async () => {
  const digits = newDigits();
  const { conversation_id } = await receiveMessage(majlis, workspace, digits);
  const send = (body: object) => api.post('/messages', { to: `+${digits}`, ...body });
  const status = async () => (await api.get(`/conversations/${conversation_id}`)).body.status;
  await majlis.sql(`update conversations set status = 'closed' where id = $1`, [
    parseId('conversation', conversation_id),
  ]);
  assert.equal((await send({ kind: 'image', media_id: 'med_x' })).status, 422);
  assert.equal(await status(), 'closed');
  const sent = await send({ kind: 'text', body: 'Hi' });
  assert.deepEqual([sent.status, sent.body.conversation_id, await status()], [201, conversation_id, 'open']);
});

function assertInvalid({ status, body, text }: Reply, pointer: string): void {
  assert.equal(status, 422, text);
  assert.equal(body.code, 'unprocessable_content');
  assert.equal(body.errors[0].pointer, pointer, text);
}

/** Nothing half done: not a contact, a conversation, a message or a job more than before, and none that is other. */
async function assertNothingDone(send: () => Promise<Reply>): Promise<Reply> {
  await untilDispatched(majlis);
  const count = () =>
    majlis.sql(`
      select (select count(*) from contacts) as contacts, (select count(*) from contact_identities) as identities,
        (select count(*) from messages) as messages, (select count(*) from jobs where kind like 'messages.%') as jobs,
        (select json_agg(c order by id) from conversations c) as conversations`);
  const before = await count();
  const reply = await send();
  assert.deepEqual(await count(), before);
  return reply;
}
