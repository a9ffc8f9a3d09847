import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventEnvelope, Message, MessageReceived } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText, untilMessage } from '@majlis/testing/messages';
import {
  notificationBody,
  platformText,
  postNotification,
  postSigned,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { messageReceiver, readReceivedMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';
import { Value } from 'typebox/value';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const receive = messageReceiver(majlis, workspace);
const conversationOf = async (id: string) => (await api.get(`/conversations/${id}`)).body;

const media = {
  id: '790000000000001',
  mime_type: 'image/jpeg',
  sha256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=',
};
const unsupported = {
  code: 131051,
  title: 'Message type unknown',
  error_data: { details: 'Message type is currently not supported.' },
};
const unfetched = { code: 131052, title: 'Media download error', error_data: { details: 'The media is too large.' } };
const card = { name: { formatted_name: 'Ali Said' }, phones: [{ phone: '+968 9123 4567', wa_id: '96891234567' }] };
const order = {
  catalog_id: '1',
  text: 'Please',
  product_items: [{ product_retailer_id: 'oud', quantity: 2, item_price: 9.5, currency: 'OMR' }],
};

describe('every type of the platform is kept, with a kind of the contract and something to read', () => {
  const types: [string, string, unknown, object, object?][] = [
    ['a text', 'text', { body: 'Is it in stock? هل هو متوفر' }, { kind: 'text', body: 'Is it in stock? هل هو متوفر' }],
    [
      'an image with a caption',
      'image',
      { ...media, caption: 'Front' },
      { kind: 'image', body: 'Front', caption: 'Front', mime: 'image/jpeg' },
    ],
    ['an image without one', 'image', media, { kind: 'image', mime: 'image/jpeg' }],
    ['a sticker', 'sticker', { ...media, mime_type: 'image/webp' }, { kind: 'image', mime: 'image/webp' }],
    ['a video', 'video', { ...media, mime_type: 'video/mp4' }, { kind: 'video', mime: 'video/mp4' }],
    [
      'a document',
      'document',
      { ...media, mime_type: 'application/pdf', filename: 'a.pdf' },
      { kind: 'file', mime: 'application/pdf', filename: 'a.pdf' },
    ],
    [
      'a voice note',
      'audio',
      { ...media, mime_type: 'audio/ogg; codecs=opus', voice: true },
      { kind: 'voice', mime: 'audio/ogg; codecs=opus' },
    ],
    [
      'media that could not be fetched',
      'video',
      {},
      {
        kind: 'video',
        error: '131052: Media download error - The media is too large.',
      },
      { errors: [unfetched] },
    ],
    [
      'a place',
      'location',
      { latitude: 23.58, longitude: 58.38, name: 'Souq', address: 'Muttrah' },
      { kind: 'location', body: 'Souq\nMuttrah\n23.58,58.38' },
    ],
    ['contact cards', 'contacts', [card], { kind: 'text', body: 'Ali Said: +968 9123 4567' }],
    ['an order', 'order', order, { kind: 'text', body: 'Please\n2 × oud  9.5 OMR' }],
    [
      'a tapped button',
      'interactive',
      { type: 'button_reply', button_reply: { id: 'keep', title: 'Keep it' } },
      { kind: 'interactive', body: 'Keep it' },
    ],
    [
      'a row of a list',
      'interactive',
      { type: 'list_reply', list_reply: { id: 'b1', title: 'Olaya' } },
      { kind: 'interactive', body: 'Olaya' },
    ],
    [
      'a form',
      'interactive',
      { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } },
      { kind: 'interactive', body: 'Sent' },
    ],
    [
      'a form whose answers no database stores as they are',
      'interactive',
      {
        type: 'nfm_reply',
        nfm_reply: { body: 'Sent', response_json: String.raw`{"a\u0000":"x\u0000y","b":"\ud800"}` },
      },
      { kind: 'interactive', body: 'Sent\na\ufffd: x\ufffdy\nb: \ufffd' },
    ],
    [
      'a form with a number that a double rounds',
      'interactive',
      { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '{"civil_number":12345678901234567890}' } },
      { kind: 'interactive', body: 'Sent\ncivil_number: 12345678901234567890' },
    ],
    [
      'a button of a template',
      'button',
      { text: 'Thanks', payload: 'CONFIRM' },
      { kind: 'interactive', body: 'Thanks' },
    ],
    ['a reaction', 'reaction', { message_id: 'wamid.unknown', emoji: '👍' }, { kind: 'reaction', body: '👍' }],
    ['a reaction taken back', 'reaction', { message_id: 'wamid.unknown' }, { kind: 'reaction' }],
    [
      'what the platform does not support',
      'unsupported',
      undefined,
      {
        kind: 'text',
        body: '[poll] Message type is currently not supported.',
        error: '131051: Message type unknown - Message type is currently not supported.',
      },
      { errors: [unsupported], extra: { unsupported: { type: 'poll' } } },
    ],
    ['a type of the future', 'hologram', { shape: 'cube' }, { kind: 'text', body: '[hologram]' }],
    ['a text without its text', 'text', {}, { kind: 'text', body: '[text]' }],
  ];
  for (const [name, type, content, expected, more] of types) {
    it(name, async () => {
      const message = await receive(newDigits(), type, content, more);
      const { id, conversation_id, actor_id, created_at, ...said } = message;
      assert.ok(Value.Check(Message, message));
      assert.deepEqual(said, { direction: 'inbound', actor_kind: 'contact', ...expected });
      const { contact_id } = await conversationOf(conversation_id);
      assert.equal(actor_id, contact_id);
      const [event] = await majlis.sql<{ payload: string }>(
        `select payload from events where payload like '%' || $1 || '%'`,
        [id],
      );
      // The platform has none of the files here, and an event waits for its file.
      if ('mime' in expected) return assert.equal(event, undefined);
      const envelope = JSON.parse(event!.payload);
      assert.ok(Value.Check(EventEnvelope, envelope) && Value.Check(MessageReceived, envelope.data));
      assert.equal(envelope.type, 'message.received');
      assert.equal(envelope.data.conversation.id, conversation_id);
    });
  }
});

describe('a notification', () => {
  it('may carry messages of many customers, all of which are kept in their order', async () => {
    const people = Array.from({ length: 5 }, newDigits);
    const messages = [0, 1, 2].flatMap((n) => people.map((from) => platformText(from, `${n}`)));
    await postNotification(majlis, workspace, { messages });
    await untilNotificationsProcessed(majlis);
    for (const from of people) {
      const rows = await majlis.sql<{ body: string }>(
        `select m.body from messages m join conversations c on c.id = m.conversation_id join contact_identities i on i.contact_id = c.contact_id
         where i.wa_id = $1 order by m.id`,
        [from],
      );
      assert.deepEqual(rows, [{ body: '0' }, { body: '1' }, { body: '2' }]);
    }
  });

  it('that is delivered again, also at the same time, changes nothing', async () => {
    const other = await majlis.another();
    const messages = Array.from({ length: 20 }, () => platformText(newDigits(), 'once'));
    const bodies = messages.map((message) => notificationBody(workspace, { messages: [message] }));
    const posts = bodies.flatMap((body) =>
      Array.from({ length: 20 }, (_, n) => postSigned(n % 2 ? majlis : other, body, workspace.app_secret)),
    );
    for (const response of await Promise.all(posts)) assert.equal(response.status, 200);
    await untilNotificationsProcessed(majlis);
    for (const { from, id } of messages) {
      const [counts] = await majlis.sql(
        `select (select count(*)::int from contact_identities where wa_id = $1) as identities,
           (select count(*)::int from conversations c join contact_identities i using (contact_id) where i.wa_id = $1) as conversations,
           (select max(unread_count) from conversations c join contact_identities i using (contact_id) where i.wa_id = $1) as unread,
           (select count(*)::int from messages where platform_message_id = $2) as messages`,
        [from, id],
      );
      assert.deepEqual(counts, { identities: 1, conversations: 1, unread: 1, messages: 1 });
    }
    const [contacts] = await majlis.sql(
      `select count(*)::int as alone from contacts c where not exists (select from contact_identities i where i.contact_id = c.id)`,
    );
    assert.deepEqual(contacts, { alone: 0 });
    const twice = await majlis.sql(
      `select payload::json -> 'data' -> 'message' ->> 'id' as id from events where type = 'message.received' group by 1 having count(*) > 1`,
    );
    assert.deepEqual(twice, []);
    assert.ok(![...majlis.log, ...other.log].some((line) => line.includes('deadlock')));
    await other.stop();
  });

  it('with an item that cannot be stored keeps its neighbours and those behind it, and that item later', async () => {
    const from = newDigits();
    const bodies = () =>
      majlis.sql<{ body: string }>(
        `select m.body from messages m join conversations c on c.id = m.conversation_id join contact_identities i on i.contact_id = c.contact_id where i.wa_id = $1 order by m.id`,
        [from],
      );
    const refusal = { on: 'before insert on messages', when: `new.body = 'poison'`, body: `raise 'scripted';` };
    await withTrigger(majlis, refusal, async () => {
      await postNotification(majlis, workspace, {
        messages: [platformText(from, 'a'), platformText(from, 'poison'), platformText(from, 'b')],
      });
      await postNotification(majlis, workspace, { messages: [platformText(from, 'c')] });
      await eventually(bodies, (rows) => rows.map((row) => row.body).join('') === 'abc');
    });
    await majlis.advance(60);
    await eventually(bodies, (rows) => rows.at(-1)?.body === 'poison');
    await untilNotificationsProcessed(majlis);
  });

  it('for a number that nobody has set up is answered 200 and logged', async () => {
    const stranger = { ...workspace, phone_number_id: '999', waba_id: '999' };
    await postNotification(majlis, stranger, { messages: [platformText(newDigits(), 'Anyone?')] });
    assert.ok(majlis.log.some((line) => line.includes('no channel has') && line.includes('999')));
  });
});

describe('a message of a customer', () => {
  it('quotes ours, or their own, also when both come together; what was never here is left out', async () => {
    const from = newDigits();
    const first = await receive(from, 'text', 'One?');
    const ours = await sendText(workspace, first.conversation_id);
    const { platform_message_id } = await untilMessage(majlis, ours, (message) => message.platform_message_id !== null);
    const answer = await receive(from, 'text', 'Yes', { context_id: platform_message_id });
    assert.equal(answer.reply_to_id, ours);
    const reaction = await receive(from, 'reaction', { message_id: platform_message_id, emoji: '👍' });
    assert.equal(reaction.reply_to_id, ours);
    const lost = await receive(from, 'text', 'What?', { context_id: 'wamid.never' });
    assert.equal(lost.reply_to_id, undefined);

    const one = platformText(from, 'first');
    const two = platformText(from, 'about the first', { context: { from, id: one.id } });
    await postNotification(majlis, workspace, { messages: [one, two] });
    assert.equal(
      (await readReceivedMessage(majlis, workspace, String(two.id))).reply_to_id,
      (await readReceivedMessage(majlis, workspace, String(one.id))).id,
    );
  });

  it('reopens a closed conversation and counts as unread until the business writes', async () => {
    const from = newDigits();
    const at = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z/, '.000Z');
    const { conversation_id } = await receive(from, 'text', 'One', { at });
    await majlis.sql(`update conversations set status = 'closed' where id = $1`, [
      parseId('conversation', conversation_id),
    ]);
    const before = await conversationOf(conversation_id);
    assert.deepEqual([before.status, before.unread_count, before.last_customer_at], ['closed', 1, at]);

    const second = await receive(from, 'text', 'Two');
    const { status, unread_count, last_message_at } = await conversationOf(conversation_id);
    assert.deepEqual(
      { status, unread_count, last_message_at },
      { status: 'open', unread_count: 2, last_message_at: second.created_at },
    );
    await sendText(workspace, conversation_id);
    assert.equal((await conversationOf(conversation_id)).unread_count, 0);
  });

  it('that comes late does not move the customer’s last word back', async () => {
    const from = newDigits();
    const { conversation_id } = await receive(from, 'text', 'now');
    const { last_customer_at, window_expires_at } = await conversationOf(conversation_id);
    await receive(from, 'text', 'long ago', { at: Date.now() - 7_200_000 });
    const after = await conversationOf(conversation_id);
    assert.deepEqual([after.last_customer_at, after.window_expires_at], [last_customer_at, window_expires_at]);
    assert.equal(after.unread_count, 2);
  });
});
