import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { newToken, tokenOf, wamidOf } from '@majlis/testing/platform-ids';
import { by, otherId, startChats } from '@majlis/testing/start-chats';
import { parseId } from '../src/database/ids.ts';

// The platform names one message by several ids.

const { majlis, workspace, newChat, report, messagesOf, conversationOf, eventsOf } = await startChats();

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
