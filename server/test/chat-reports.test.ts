import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { newToken, wamidOf } from '@majlis/testing/platform-ids';
import { by, type Chat, otherId, startChats } from '@majlis/testing/start-chats';
import {
  outboundTexts,
  publishWorkflows,
  readRun,
  startRun,
  untilRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';

// What the platform reports about a chat and its messages is no word of the customer.

const { majlis, workspace, agent, newChat, report, messagesOf, conversationOf, threadOf, eventsOf } =
  await startChats();

const revokeOf = (original_message_id: string) => ({ original_message_id });
const editOf = (original_message_id: string, body: string) => ({
  original_message_id,
  message: { type: 'text', text: { body } },
});
const searchFor = async (q: string): Promise<AnyJson[]> => (await agent.at('GET', `/message-search?q=${q}`)).body.data;

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

describe('an edit whose message stays unknown', () => {
  /** No job looks for the message any more. */
  const untilGivenUp = () =>
    eventually(
      async () => {
        await majlis.operator('POST', '/clock', { advance_seconds: 600 });
        return majlis.sql(`select id from jobs where kind = 'inbound.retry_revision'`);
      },
      ({ length }) => length === 0,
    );

  it('is kept as one line of its own, however often it is told', async () => {
    const chat = await newChat();
    const edit = by(chat, 'edit', editOf('wamid.unknown', 'Only the new text'));
    for (const _ of ['first', 'again']) await report([edit]);
    await untilGivenUp();
    const messages = await messagesOf(chat);
    assert.deepEqual(
      messages.map(({ body }) => body),
      ['Hello', '[edit] Only the new text'],
    );
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
    const history = [{ metadata: { phase: 0 }, threads: [thread] }];
    for (const _ of ['first', 'again']) await postNotification(majlis, workspace, { history }, 'history');
    await untilNotificationsProcessed(majlis);
    await untilGivenUp();
    const kept = await messagesOf(chat);
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
