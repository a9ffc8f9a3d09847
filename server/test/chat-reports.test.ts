import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { newToken, tokenOf, wamidOf } from '@majlis/testing/platform-ids';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import {
  outboundTexts,
  publishWorkflows,
  readRun,
  startRun,
  untilRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';
import { parseId, publicId } from '../src/database/ids.ts';

// What the platform reports about a chat and its messages is no word of the customer.

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let agent: Member;
before(async () => {
  workspace = await majlis.workspace();
  agent = await joinWorkspace(majlis, workspace);
});

/** A customer who wrote once. */
async function newChat(body = 'Hello') {
  const digits = newDigits();
  const user_id = `OM.${newDigits()}00`;
  const token = newToken();
  const first = platformText(digits, body, { id: wamidOf(digits, token), from_user_id: user_id });
  await report([first]);
  const rows = await majlis.sql<{ id: string; conversation_id: string }>(
    'select id, conversation_id from messages where platform_message_id = $1',
    [first.id],
  );
  const id = publicId('message', rows[0]!.id);
  const conversation_id = publicId('conversation', rows[0]!.conversation_id);
  return { digits, user_id, token, wamid: first.id as string, id, conversation_id };
}
type Chat = Awaited<ReturnType<typeof newChat>>;

async function report(messages: object[], field?: string): Promise<void> {
  const value = field === 'smb_message_echoes' ? { message_echoes: messages } : { messages };
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
}

const by = ({ digits }: Chat, type: string, content?: object, more: object = {}) =>
  platformText(digits, '', { type, text: undefined, ...(content && { [type]: content }), ...more });
const revokeOf = (original_message_id: string) => ({ original_message_id });
const editOf = (original_message_id: string, body: string) => ({
  original_message_id,
  message: { type: 'text', text: { body } },
});
const messagesOf = async ({ conversation_id }: Chat): Promise<AnyJson[]> =>
  (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data;
const conversationOf = async ({ conversation_id }: Chat): Promise<AnyJson> =>
  (await workspace.api.get(`/conversations/${conversation_id}`)).body;
const threadOf = async ({ conversation_id }: Chat): Promise<AnyJson[]> =>
  (await agent.at('GET', `/conversations/${conversation_id}/thread`)).body.data;
const searchFor = async (q: string): Promise<AnyJson[]> => (await agent.at('GET', `/message-search?q=${q}`)).body.data;
const eventsOf = async ({ conversation_id }: Chat) =>
  majlis.sql<{ type: string }>(
    `select type from events where type = 'message.received' and payload like '%' || $1 || '%'`,
    [conversation_id],
  );

/** The id that the platform gives the same message where it names the person by the user id. */
const otherId = ({ user_id, token }: Chat) => wamidOf(user_id, token, '\x15\x14\x00\x11');

describe('a message that the customer deletes', () => {
  it('is shown as deleted, and its deletion is no message', async () => {
    const chat = await newChat('A secret mistake');
    const before = await conversationOf(chat);
    await report([by(chat, 'revoke', revokeOf(chat.wamid))]);
    const [message, ...others] = await messagesOf(chat);
    assert.deepEqual(others, []);
    assert.ok(!('body' in message!), JSON.stringify(message));
    assert.deepEqual(await conversationOf(chat), before);
    assert.equal((await eventsOf(chat)).length, 1);
    const [item] = await threadOf(chat);
    assert.ok(item!.deleted_at, JSON.stringify(item));
    assert.ok(!('body' in item!));
  });

  it('is found by its token where its id is another', async () => {
    const chat = await newChat();
    await report([by(chat, 'revoke', revokeOf(otherId(chat)))]);
    assert.ok((await threadOf(chat))[0]!.deleted_at);
  });

  it('is deleted where the deletion came first', async () => {
    const chat = await newChat();
    const id = wamidOf(chat.digits, newToken());
    await report([by(chat, 'revoke', revokeOf(id))]);
    await report([platformText(chat.digits, 'Too late', { id })]);
    const thread = await eventually(
      () => threadOf(chat),
      (items) => Boolean(items[1]?.deleted_at),
    );
    assert.equal(thread.length, 2);
  });

  it('cannot be deleted by another customer', async () => {
    const chat = await newChat('Mine');
    await report([by(await newChat(), 'revoke', revokeOf(chat.wamid))]);
    assert.equal((await messagesOf(chat))[0]!.body, 'Mine');
  });

  it('answers no question of a workflow and starts none', async () => {
    const own = await majlis.workspace();
    const ask = { do: 'ask', name: 'size', text: 'Which size?', within: '1h' };
    const ids = await publishWorkflows(
      majlis,
      own,
      { name: 'Ask', trigger: 'api_call', steps: [ask, { do: 'send_message', text: 'Size {{steps.size.answer}}' }] },
      { name: 'Greet', trigger: 'message_received', steps: [{ do: 'set_tag', tag: 'greeted' }] },
    );
    const digits = newDigits();
    const first = platformText(digits, 'Hi');
    const about = (type: string, content?: object) =>
      platformText(digits, '', { type, text: undefined, ...(content && { [type]: content }) });
    await postNotification(majlis, own, { messages: [first] });
    await untilNotificationsProcessed(majlis);
    await untilWorkflowsIdle(majlis);
    const run_id = await startRun(own, ids.get('Ask')!, { channel_type: 'chatapp', identifier: `+${digits}` });
    await untilRun(majlis, own, run_id, ({ steps }) => steps.length === 1);
    const reports = [
      about('revoke', revokeOf(String(first.id))),
      about('edit', editOf(String(first.id), 'Hey')),
      about('request_welcome'),
      about('pin', { message_id: first.id }),
      about('system', { type: 'customer_identity_changed', body: 'changed' }),
      about('reaction', { message_id: first.id, emoji: '' }),
    ];
    const [runs] = await majlis.sql('select count(*)::int as count from workflow_runs');
    for (const message of reports) {
      await postNotification(majlis, own, { messages: [message] });
      await untilNotificationsProcessed(majlis);
    }
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await majlis.sql('select count(*)::int as count from workflow_runs'), [runs]);
    assert.equal((await readRun(majlis, own, run_id)).status, 'running');
    await postNotification(majlis, own, { messages: [platformText(digits, 'Large')] });
    await untilRunEnded(majlis, own, run_id);
    const [conversation] = (await own.api.get('/conversations')).body.data;
    assert.deepEqual(await outboundTexts(majlis, conversation.id), ['Which size?', 'Size Large']);
  });

  it('reopens and wakes nothing, and counts as no unread message', async () => {
    const chat = await newChat();
    await workspace.api.post(`/conversations/${chat.conversation_id}/close`, {});
    const closed = await conversationOf(chat);
    const reports: [string, object?][] = [
      ['edit', editOf(chat.wamid, 'Hello again')],
      ['revoke', revokeOf(chat.wamid)],
      ['request_welcome'],
      ['pin', { message_id: chat.wamid }],
      ['deleted'],
      ['event_response', { response: 'going' }],
      ['system', { type: 'user_changed_something', body: 'x' }],
      ['reaction', { message_id: chat.wamid }],
    ];
    for (const [type, content] of reports) await report([by(chat, type, content)]);
    assert.deepEqual(await conversationOf(chat), closed);
  });
});

/** The platform wraps a type that it does not pass on to this number. */
const wrapped = (type: string) => ({
  ...{ type: 'unsupported', unsupported: { type } },
  errors: [
    {
      ...{ code: 131051, title: 'Message type unknown' },
      error_data: { details: 'Message type is currently not supported.' },
    },
  ],
});
const wrappedReports = ['edit', 'revoke', 'pin', 'protocol', 'keep_in_chat', 'ephemeral'];

describe('a report that the platform wraps as unsupported', () => {
  it('is no message, wakes nothing and counts nothing', async () => {
    const chat = await newChat();
    await workspace.api.post(`/conversations/${chat.conversation_id}/close`, {});
    const closed = await conversationOf(chat);
    for (const type of wrappedReports) await report([by(chat, 'unsupported', undefined, wrapped(type))]);
    assert.deepEqual(await conversationOf(chat), closed);
    assert.equal((await eventsOf(chat)).length, 1);
    assert.equal((await messagesOf(chat)).length, 1);
  });

  it('is no message among echoes, in standby and in the history either', async () => {
    const chat = await newChat();
    const reports = wrappedReports.map((type) => by(chat, 'unsupported', undefined, wrapped(type)));
    const fromPhone = reports.map((one) => ({ ...one, from: '96880000001', to: chat.digits }));
    await report(fromPhone, 'smb_message_echoes');
    const rest = { metadata: { phase: 0, chunk_order: 1, progress: 100 } };
    const fields: [string, Record<string, unknown>][] = [
      ['standby', { standby: { messages: reports, message_echoes: fromPhone } }],
      ['history', { history: [{ ...rest, threads: [{ id: chat.digits, messages: [...reports, ...fromPhone] }] }] }],
    ];
    for (const [field, value] of fields) await postNotification(majlis, workspace, value, field);
    await untilNotificationsProcessed(majlis);
    assert.equal((await messagesOf(chat)).length, 1);
  });

  it('stays a message where the customer made what it wraps', async () => {
    const chat = await newChat();
    for (const type of ['poll', 'poll_creation', 'event']) {
      await report([by(chat, 'unsupported', undefined, wrapped(type))]);
    }
    const bodies = (await messagesOf(chat)).map(({ body }) => String(body).split(' ')[0]);
    assert.deepEqual(bodies, ['Hello', '[poll]', '[poll_creation]', '[event]']);
  });
});

describe('a message that the customer edits', () => {
  it('has its new text, is shown as edited, and is found by its new words', async () => {
    const chat = await newChat('Adress Muttrah');
    const before = await conversationOf(chat);
    await report([by(chat, 'edit', editOf(otherId(chat), 'Address Ruwiquux'))]);
    const [message, ...others] = await messagesOf(chat);
    assert.deepEqual(others, []);
    assert.equal(message!.body, 'Address Ruwiquux');
    assert.deepEqual(await conversationOf(chat), before);
    const [item] = await threadOf(chat);
    assert.ok(item!.edited_at);
    assert.equal((await searchFor('Ruwiquux')).length, 1);
  });

  it('keeps the latest of its texts, in whatever order they come', async () => {
    const chat = await newChat('one');
    const at = Math.floor(Date.now() / 1000);
    await report([by(chat, 'edit', editOf(chat.wamid, 'three'), { timestamp: String(at + 2) })]);
    await report([by(chat, 'edit', editOf(chat.wamid, 'two'), { timestamp: String(at + 1) })]);
    assert.equal((await messagesOf(chat))[0]!.body, 'three');
    await report([by(chat, 'revoke', revokeOf(chat.wamid), { timestamp: String(at + 3) })]);
    await report([by(chat, 'edit', editOf(chat.wamid, 'four'), { timestamp: String(at + 4) })]);
    assert.ok(!('body' in (await messagesOf(chat))[0]!));
  });
});

describe('the team in the phone app', () => {
  const echo = ({ digits }: Chat, type: string, content: object, more: object = {}) => ({
    ...platformText(newDigits(), '', { type, text: undefined, to: digits, [type]: content }),
    ...more,
  });

  it('deletes and edits its own messages, not those of the customer', async () => {
    const chat = await newChat('From the customer');
    const id = wamidOf(chat.digits, newToken());
    await report([echo(chat, 'text', { body: 'Price 9' }, { id })], 'smb_message_echoes');
    await report([echo(chat, 'edit', editOf(id, 'Price 10'))], 'smb_message_echoes');
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['From the customer', 'Price 10'],
    );
    await report([echo(chat, 'revoke', revokeOf(id))], 'smb_message_echoes');
    await report([echo(chat, 'revoke', revokeOf(chat.wamid))], 'smb_message_echoes');
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['From the customer', undefined],
    );
  });

  it('is no answer where a reaction of the phone app is taken back', async () => {
    for (const taken of [{ emoji: '' }, {}]) {
      const chat = await newChat();
      const reaction = (content: object) => echo(chat, 'reaction', { message_id: chat.wamid, ...content });
      await report([reaction({ emoji: '👍' })], 'smb_message_echoes');
      await report([by(chat, 'text', { body: 'And tomorrow?' })]);
      const read = async () => (await workspace.api.get(`/conversations/${chat.conversation_id}`)).body;
      const { unread_count, last_message_at, status } = await read();
      assert.equal(unread_count, 1);
      await report([reaction(taken)], 'smb_message_echoes');
      const after = await read();
      assert.deepEqual(
        [after.unread_count, after.last_message_at, after.status],
        [unread_count, last_message_at, status],
      );
    }
  });

  it('says nothing twice where the platform names its message by the number and by the user id', async () => {
    const chat = await newChat();
    const token = newToken();
    const to_user_id = chat.user_id;
    for (const id of [wamidOf(chat.digits, token), wamidOf(chat.user_id, token)]) {
      await report([echo(chat, 'text', { body: 'Price 9' }, { id, to_user_id })], 'smb_message_echoes');
    }
    const other = newToken();
    const together = [wamidOf(chat.user_id, other), wamidOf(chat.digits, other)];
    await report(
      together.map((id) => echo(chat, 'text', { body: 'Price 10' }, { id, to_user_id })),
      'smb_message_echoes',
    );
    await report([echo(chat, 'text', { body: 'Price 9' }, { to_user_id })], 'smb_message_echoes');
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['Hello', 'Price 9', 'Price 10', 'Price 9'],
    );
  });

  it('shows the words of a template that was sent elsewhere, or its name and values', async () => {
    const chat = await newChat();
    const values = [
      { type: 'text', text: 'Muna' },
      { type: 'text', text: '42' },
    ];
    const templates = [
      { name: 'order_update', language: { code: 'en' }, components: [{ type: 'body', parameters: values }] },
      { name: 'hello', language: { code: 'en' } },
      {
        name: 'order_update',
        components: [
          { type: 'HEADER', text: 'Order' },
          { type: 'BODY', text: 'It is packed.' },
        ],
      },
    ];
    for (const template of templates) await report([echo(chat, 'template', template)], 'smb_message_echoes');
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['Hello', 'order_update: Muna, 42', 'hello', 'Order\nIt is packed.'],
    );
  });

  it('quotes the message of the customer', async () => {
    const chat = await newChat();
    await report([echo(chat, 'text', { body: 'Yes' }, { context: { id: otherId(chat) } })], 'smb_message_echoes');
    assert.equal((await messagesOf(chat))[1]!.reply_to_id, chat.id);
  });
});

describe('a message of the customer that the platform names by the number and by the user id', () => {
  it('is stored once, in one notification or in several, and counts once', async () => {
    const chat = await newChat();
    const token = newToken();
    const said = (id: string, body: string) => platformText(chat.digits, body, { id, from_user_id: chat.user_id });
    const ids = [wamidOf(chat.user_id, token, '\x15\x14\x00\x11'), wamidOf(chat.digits, token)];
    for (const id of [...ids, ...ids]) await report([said(id, 'One')]);
    const other = newToken();
    const together = [wamidOf(chat.digits, other), wamidOf(chat.user_id, other), wamidOf(chat.digits, other)];
    await report(together.map((id) => said(id, 'Two')));
    await report([said(wamidOf(chat.user_id, newToken()), 'One')]);
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['Hello', 'One', 'Two', 'One'],
    );
    assert.equal((await conversationOf(chat)).unread_count, 4);
    assert.equal((await eventsOf(chat)).length, 4);
  });

  it('is stored once where each report names one of the ids alone', async () => {
    const chat = await newChat();
    const [first, second] = [newToken(), newToken()];
    const by_number = (token: string, body: string) =>
      platformText(chat.digits, body, { id: wamidOf(chat.digits, token) });
    const by_user = (token: string, body: string) => ({
      ...platformText(chat.digits, body, { id: wamidOf(chat.user_id, token), from_user_id: chat.user_id }),
      from: undefined,
    });
    await report([by_number(first, 'One')]);
    await report([by_user(first, 'One'), by_user(second, 'Two')]);
    await report([by_number(second, 'Two')]);
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['Hello', 'One', 'Two'],
    );
    assert.equal((await conversationOf(chat)).unread_count, 3);
  });

  it('is stored once where the phone app repeats what a program sent', async () => {
    const chat = await newChat();
    const to = `+${chat.digits}`;
    const { body: sent } = await workspace.api.post('/messages', { to, kind: 'text', body: 'Out' });
    const sql = 'select platform_message_id as id from messages where id = $1 and platform_message_id is not null';
    const [row] = await eventually(
      () => majlis.sql<{ id: string }>(sql, [parseId('message', sent.id)!]),
      (rows) => rows.length === 1,
    );
    const token = tokenOf(row!.id);
    const echo = platformText(newDigits(), 'Out', { id: wamidOf(chat.user_id, token), to_user_id: chat.user_id });
    await report([echo], 'smb_message_echoes');
    const thread = { id: undefined, user_id: chat.user_id, messages: [{ ...echo, from: '96880000001' }] };
    await postNotification(majlis, workspace, { history: [{ metadata: { phase: 0 }, threads: [thread] }] }, 'history');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(
      (await messagesOf(chat)).map(({ body }) => body),
      ['Hello', 'Out'],
    );
  });
});

describe('a message is found by the token in its id, within the conversation,', () => {
  it('where it is quoted, also in the notification that brings it', async () => {
    const chat = await newChat();
    const other = await newChat();
    const token = newToken();
    await report([
      platformText(chat.digits, 'Quote', { context: { id: otherId(chat) } }),
      platformText(chat.digits, 'New', { id: wamidOf(chat.digits, token) }),
      platformText(chat.digits, 'Quote of new', { context: { id: wamidOf(chat.user_id, token) } }),
      platformText(chat.digits, 'Foreign', { context: { id: otherId(other) } }),
    ]);
    const messages = await messagesOf(chat);
    const [, quote, fresh, second, foreign] = messages;
    assert.equal(quote!.reply_to_id, chat.id);
    assert.equal(second!.reply_to_id, fresh!.id);
    assert.ok(!('reply_to_id' in foreign!));
  });

  it('where it gets a reaction', async () => {
    const chat = await newChat();
    await report([by(chat, 'reaction', { message_id: otherId(chat), emoji: '👍' })]);
    assert.equal((await messagesOf(chat))[1]!.reply_to_id, chat.id);
  });

  it('where its status is reported', async () => {
    const chat = await newChat();
    const token = newToken();
    await report(
      [{ ...platformText(newDigits(), 'From the phone', { id: wamidOf(chat.digits, token) }), to: chat.digits }],
      'smb_message_echoes',
    );
    const status = platformStatus(wamidOf(chat.user_id, token), 'read', {
      recipient_user_id: chat.user_id,
      recipient_id: '',
    });
    await postNotification(majlis, workspace, { statuses: [status] });
    await eventually(
      () => messagesOf(chat),
      ([, sent]) => sent?.status === 'read',
    );
  });
});

describe('what a stranger shows of themselves', () => {
  const nameOf = async (name: string, more: object = {}): Promise<string | undefined> => {
    const digits = newDigits();
    const contacts = [{ profile: { name, ...more }, wa_id: digits }];
    await postNotification(majlis, workspace, { contacts, messages: [platformText(digits, 'Hello')] });
    await untilNotificationsProcessed(majlis);
    return (await workspace.api.get(`/contacts?q=${digits}`)).body.data[0].name;
  };

  it('is no name where nothing of it is visible', async () => {
    const blanks = [
      '\u3164',
      '\u2800\u2800',
      '\u200b\u200d',
      '\u115f\u1160',
      '\uffa0',
      '\u{e0041}',
      '\u0301',
      ' \u00a0\u2003',
      '\ufe0f',
      '\u{1d159}',
      '\u{13441}\u{13442}',
    ];
    for (const name of blanks) assert.equal(await nameOf(name), undefined, JSON.stringify(name));
    assert.equal(await nameOf('\u3164', { username: 'muna' }), 'muna');
  });

  it('keeps names with letters and pictures, without what reorders the text around them', async () => {
    assert.equal(await nameOf('\u202eMuna\u202c\n🌙'), 'Muna 🌙');
    assert.equal(await nameOf('عبد الله'), 'عبد الله');
    assert.equal(await nameOf('❤️'), '❤️');
  });

  it('begins and ends with what is visible', async () => {
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    const names: [string, string][] = [
      ['\u3164Muna', 'Muna'],
      ['\u115f\u200bMuna\u2800\u3164\u200d', 'Muna'],
      ['\u206aMu\u206fna\u206c', 'Muna'],
      ['Mu\u{e0041}na\u{e0041}', 'Muna'],
      ['\u0301Zoe\u0301', 'Zoe\u0301'],
      [`Tom ${england}`, `Tom ${england}`],
      ['هـ ه\u200d', 'هـ ه\u200d'],
    ];
    for (const [name, shown] of names) assert.equal(await nameOf(name), shown, JSON.stringify(name));
  });

  it('is as clean in the thread: what was tapped, a place, an advertisement', async () => {
    const chat = await newChat();
    const list_reply = { id: 'r1', title: '\u202eLarge\n\u3164', description: '\u2067Two\u2069 litres\u202e' };
    const referral = { source_type: 'ad', headline: '\u3164', source_url: 'https://x.example/\u202egnp.exe' };
    const said = [
      by(chat, 'interactive', { type: 'list_reply', list_reply }),
      by(chat, 'interactive', { type: 'list_reply', list_reply: { id: 'r2', title: '\u3164', description: '\u3164' } }),
      by(chat, 'button', { payload: 'p1', text: '\u202eThanks\nAll' }),
      by(chat, 'button', { payload: 'p1', text: '\u3164' }),
      by(chat, 'location', { latitude: 1.5, longitude: 2.5, name: 'Souq\u202e\nA', address: '\u3164' }),
      by(chat, 'text', undefined, { text: { body: 'Hi' }, referral }),
    ];
    for (const one of said) await report([one]);
    const [, row, blank, button, payload, place, led] = await threadOf(chat);
    assert.deepEqual(row!.tapped, { id: 'r1', title: 'Large', description: 'Two litres' });
    assert.deepEqual(blank!.tapped, { id: 'r2', title: 'r2' });
    assert.deepEqual([button!.tapped, button!.body], [{ id: 'p1', title: 'Thanks All' }, 'Thanks All']);
    assert.deepEqual([payload!.tapped, payload!.body], [{ id: 'p1', title: 'p1' }, 'p1']);
    assert.deepEqual(place!.location, { latitude: 1.5, longitude: 2.5, name: 'Souq A' });
    assert.deepEqual(led!.referral, { source_url: 'https://x.example/gnp.exe' });
  });

  it('forges no answer of a form and no reaction, and reorders no order', async () => {
    const chat = await newChat();
    const given = { 'size\nprice': '1\nprice: 0', note: '\u202eone\ntwo', '\u3164': '\u3164' };
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(given) };
    const order = { text: '\u202eFor Friday\n\u2067please\u2069', product_items: [] };
    await report([by(chat, 'interactive', { type: 'nfm_reply', nfm_reply })]);
    await report([by(chat, 'order', order)]);
    for (const emoji of ['\u202e👍\u3164', '❤️', '👩‍💻', '\u3164']) {
      await report([by(chat, 'reaction', { message_id: chat.wamid, emoji })]);
    }
    const [, form, ordered, ...reactions] = await threadOf(chat);
    assert.equal(form!.body, 'Sent\nsize price: 1 price: 0\nnote: one two\n?: ');
    assert.deepEqual(form!.answers, [
      { name: 'size price', value: '1\nprice: 0' },
      { name: 'note', value: 'one\ntwo' },
      { name: '?', value: '' },
    ]);
    assert.equal(ordered!.body, 'For Friday\nplease');
    assert.deepEqual(
      reactions.map(({ reaction }) => reaction.emoji),
      ['👍', '❤️', '👩‍💻', ''],
    );
  });

  it('is whole: a card with its company, its addresses and its pages', async () => {
    const chat = await newChat();
    const card = {
      name: { formatted_name: 'Ali' },
      org: { company: 'Souq LLC', department: '', title: 'Buyer' },
      phones: [{ phone: '+968 9123 4567' }],
      emails: [{ email: 'ali@souq.example' }],
      addresses: [{ street: 'Corniche 4', city: 'Muttrah', country: 'Oman', type: 'WORK' }],
      urls: [{ url: 'https://souq.example' }],
    };
    await report([by(chat, 'contacts', [card, { org: { company: 'Oud House' } }])]);
    assert.equal(
      (await messagesOf(chat))[1]!.body,
      'Ali (Souq LLC, Buyer): +968 9123 4567, ali@souq.example, Corniche 4, Muttrah, Oman, https://souq.example\nOud House',
    );
  });

  it('cannot reorder a card or name a file by nothing', async () => {
    const chat = await newChat();
    const card = { name: { formatted_name: '\u202eAli' }, phones: [{ phone: '+968 \u20669123\u2069 4567' }] };
    await report([by(chat, 'contacts', [card])]);
    await report([by(chat, 'document', { id: '1', mime_type: 'application/pdf', filename: '\u3164' })]);
    const [, shown, file] = await messagesOf(chat);
    assert.equal(shown!.body, 'Ali: +968 9123 4567');
    assert.ok(!('filename' in file!));
  });
});

describe('what stands beside the title of an answer', () => {
  it('is readable: the answers of a form', async () => {
    const chat = await newChat();
    const response_json = '{"guests":"4","days":["Sun","Mon"],"flow_token":"msg_1"}';
    await report([
      by(chat, 'interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } }),
    ]);
    assert.equal((await messagesOf(chat))[1]!.body, 'Sent\nguests: 4\ndays: ["Sun","Mon"]');
    const answers = [
      { name: 'guests', value: '4' },
      { name: 'days', value: '["Sun","Mon"]' },
    ];
    assert.deepEqual((await threadOf(chat))[1]!.answers, answers);
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.answers, answers);
  });

  it('is whole: an order, in the thread and in the details of events', async () => {
    const chat = await newChat();
    const product_items = [
      { product_retailer_id: 'oud-1', quantity: 2, item_price: 9.5, currency: 'OMR' },
      { product_retailer_id: 'ru\u202eby', quantity: '1', item_price: '3', currency: 'OMR' },
      { product_retailer_id: '\u3164' },
    ];
    const order = { catalog_id: 'c77', text: 'For Friday\nplease', product_items };
    await report([by(chat, 'order', order)]);
    assert.deepEqual((await threadOf(chat))[1]!.order, {
      catalog_id: 'c77',
      note: 'For Friday\nplease',
      products: [
        { id: 'oud-1', quantity: 2, price: 9.5, currency: 'OMR' },
        { id: 'ruby', quantity: 1, price: 3, currency: 'OMR' },
        { id: '' },
      ],
    });
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.order, order);
  });

  it('is told: an interactive message of an unknown type', async () => {
    const chat = await newChat();
    const interactive = { type: 'payment_method', payment_method: { payment_method: 'pix', reference_id: 'R1' } };
    await report([by(chat, 'interactive', interactive)]);
    assert.equal((await messagesOf(chat))[1]!.body, '[interactive: payment_method]');
    const lastDetails = async () => {
      const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
      return data.findLast(({ type }: AnyJson) => type === 'message.received').data.message;
    };
    assert.deepEqual((await lastDetails()).interactive, interactive);
    await report([by(chat, 'interactive', { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } })]);
    const { button_id, ...details } = await lastDetails();
    assert.equal(button_id, 'yes');
    assert.ok(!('interactive' in details));
  });

  it('is shown: the advertisement that led to the message', async () => {
    const chat = await newChat();
    const referral = {
      source_type: 'ad',
      source_id: '12',
      headline: 'Oud \u202e-20%',
      source_url: 'https://ad.example/1',
      ctwa_clid: 'c1',
    };
    await report([platformText(chat.digits, 'Is it there?', { referral })]);
    const [, item] = await threadOf(chat);
    assert.equal(item!.body, 'Is it there?');
    assert.deepEqual(item!.referral, { headline: 'Oud -20%', source_url: 'https://ad.example/1', id: '12' });
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.referral, referral);
  });
});

describe('a doubtful value', () => {
  it('opens no window of more than a day: a time days ahead', async () => {
    const chat = await newChat();
    const timestamp = String(Math.floor(Date.now() / 1000) + 3 * 86_400);
    await report([platformText(chat.digits, 'From the future', { timestamp })]);
    const { window_expires_at } = await conversationOf(chat);
    assert.ok(Date.parse(window_expires_at) <= Date.now() + 25 * 3_600_000, window_expires_at);
  });

  it('is not shown as connected: a channel whose every call is refused', async () => {
    const own = await majlis.workspace();
    const statusOf = async () => (await own.api.get('/channels')).body.data[0].status;
    await eventually(statusOf, (status) => status === 'CONNECTED');
    await callControl(majlis, 'PATCH', `/numbers/${own.phone_number_id}`, { token_expired: true });
    const template = { name: 'order_update', language: 'en', params: ['a', 'b'] };
    await own.api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    await eventually(statusOf, (status) => status !== 'CONNECTED');
  });

  it('is found in both spellings: عبد الله', async () => {
    const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
    const { body } = await workspace.api.post('/contacts', { identities, name: 'عبد الله الحارثي' });
    for (const q of ['عبدالله', 'عبد الله', 'عبدالله الحارثي', 'الله', 'عبد']) {
      const { data } = (await workspace.api.get(`/contacts?q=${encodeURIComponent(q)}`)).body;
      assert.ok(
        data.some(({ id }: AnyJson) => id === body.id),
        q,
      );
    }
  });

  it('is read as the number: one with shapeless characters', async () => {
    const identifier = '+968\u3164 9123\u2800 4\u034f567';
    const { status, body } = await workspace.api.post('/contacts', {
      identities: [{ channel_type: 'chatapp', identifier }],
    });
    assert.ok(status < 300, JSON.stringify(body));
    assert.equal(body.identities[0].identifier, '+96891234567');
  });
});

describe('an edit whose message stays unknown', () => {
  it('is kept as a line of its own', async () => {
    const chat = await newChat();
    await report([by(chat, 'edit', editOf('wamid.unknown', 'Only the new text'))]);
    const messages = await eventually(
      async () => {
        await majlis.operator('POST', '/clock', { advance_seconds: 600 });
        return messagesOf(chat);
      },
      ({ length }) => length === 2,
    );
    assert.ok(messages.some(({ body }) => body === '[edit] Only the new text'));
    assert.equal((await conversationOf(chat)).unread_count, 1);
  });

  it('stands at its own time where the history of the phone app tells it', async () => {
    const chat = await newChat();
    const at = Math.floor(Date.now() / 1000) - 30 * 86_400;
    const edit = (from: string, text: string) =>
      platformText(from, '', {
        ...{ type: 'edit', text: undefined, timestamp: String(at), to: chat.digits },
        edit: editOf(`wamid.${text}`, text),
      });
    const messages = [edit(chat.digits, 'Old words'), edit('96880000001', 'Old answer')];
    const thread = { id: chat.digits, messages };
    await postNotification(majlis, workspace, { history: [{ metadata: { phase: 0 }, threads: [thread] }] }, 'history');
    const kept = await eventually(
      async () => {
        await majlis.operator('POST', '/clock', { advance_seconds: 600 });
        return messagesOf(chat);
      },
      ({ length }) => length === 3,
    );
    const created_at = new Date(at * 1000).toISOString();
    assert.deepEqual(kept.map((one) => [one.body, one.status, one.created_at === created_at]).toSorted(), [
      ['Hello', undefined, false],
      ['[edit] Old answer', undefined, true],
      ['[edit] Old words', undefined, true],
    ]);
    assert.equal(kept.at(-1)!.body, 'Hello');
    await eventually(
      () => searchFor('answer'),
      ({ length }) => length === 1,
    );
  });
});
