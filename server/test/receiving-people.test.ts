import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText, untilMessage } from '@majlis/testing/messages';
import {
  notificationBody,
  postNotification,
  postSigned,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { messageReceiver, readReceivedMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api, phone_number_id } = workspace;
const receive = messageReceiver(majlis, workspace);
const conversationOf = async (id: string) => (await api.get(`/conversations/${id}`)).body;

describe('a customer', () => {
  const contactOf = async (conversation_id: string) => {
    const [row] = await majlis.sql<{
      name: string | null;
      display_name: string | null;
      identifier: string;
      id: string;
    }>(
      `select c.id, c.name, i.display_name, i.identifier from conversations v join contacts c on c.id = v.contact_id
       join contact_identities i on i.contact_id = c.id where v.id = $1`,
      [parseId('conversation', conversation_id)],
    );
    return row!;
  };

  it('may have no name; the first one they show becomes the contact’s, a later one does not', async () => {
    const from = newDigits();
    const nameless = await receive(from, 'text', 'Hello', { name: null });
    assert.deepEqual(
      { ...(await contactOf(nameless.conversation_id)), id: '' },
      { id: '', name: null, display_name: null, identifier: `+${from}` },
    );
    await receive(from, 'text', 'It is me', { name: 'Muna' });
    assert.equal((await contactOf(nameless.conversation_id)).name, 'Muna');
    await receive(from, 'text', 'and again', { name: 'Muna 🌙', at: Date.now() + 7_200_000 });
    const { name, display_name } = await contactOf(nameless.conversation_id);
    assert.deepEqual({ name, display_name }, { name: 'Muna', display_name: 'Muna 🌙' });
    const { contact_name } = await conversationOf(nameless.conversation_id);
    assert.equal(contact_name, 'Muna');
  });

  it('who hides the number is known by user id, answered there, and the same once the number shows', async () => {
    const from = newDigits();
    await customer(from, { number_hidden: true, name: 'Noor' });
    const { conversation_id } = await receive(from, 'text', 'Guess who');
    const { identifier } = await contactOf(conversation_id);
    assert.match(identifier, /^US\.\d+$/);
    const id = await sendText(workspace, conversation_id);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    const { body } = ledgerOf(id);
    assert.deepEqual({ to: body.to, recipient: body.recipient }, { to: undefined, recipient: identifier });

    await customer(from, { number_hidden: false });
    const shown = await receive(from, 'text', 'Me');
    assert.equal(shown.conversation_id, conversation_id);
  });

  for (const [country, wa_id, dialled] of [
    ['Brazil', '551187654321', '+55 11 98765-4321'],
    ['Mexico', '5215512345678', '+52 55 1234 5678'],
    ['Argentina', '5491133334444', '+54 11 3333-4444'],
  ] as const) {
    it(`from ${country} is one contact in both spellings, whoever writes first`, async () => {
      const { conversation_id } = await receive(wa_id, 'text', 'Olá');
      const sent = await api.post('/messages', { to: dialled, kind: 'text', body: 'Hello' });
      assert.equal(sent.status, 201, sent.text);
      assert.equal(sent.body.conversation_id, conversation_id);

      const later = (digits: string) => digits.replace(/\d{4}$/, '7777');
      const first = await api.post('/messages', {
        to: later(dialled),
        kind: 'template',
        template: { name: 'order_update', language: 'en', params: ['a', 'b'] },
      });
      assert.equal(first.status, 201, first.text);
      const answer = await receive(later(wa_id), 'text', 'Olá');
      assert.equal(answer.conversation_id, first.body.conversation_id);
    });
  }

  it('in Argentina is one contact also when the business dials both spellings', async () => {
    const send = (to: string) =>
      api.post('/messages', {
        to,
        kind: 'template',
        template: { name: 'order_update', language: 'en', params: ['a', 'b'] },
      });
    const [mobile, plain] = await Promise.all([send('+54 9 11 3333-5555'), send('+54 11 3333-6666')]);
    assert.equal((await send('+54 11 3333-5555')).body.conversation_id, mobile!.body.conversation_id);
    assert.equal((await send('+54 9 11 3333-6666')).body.conversation_id, plain!.body.conversation_id);
  });

  it('who is known by number is known by user id too once both were seen', async () => {
    const from = newDigits();
    const template = { name: 'order_update', language: 'en', params: ['a', 'b'] };
    const first = await api.post('/messages', { to: `+${from}`, kind: 'template', template });
    const shown = await receive(from, 'text', 'Thanks');
    assert.equal(shown.conversation_id, first.body.conversation_id);
    await customer(from, { number_hidden: true });
    const hidden = await receive(from, 'text', 'Now you do not see me');
    assert.equal(hidden.conversation_id, first.body.conversation_id);
  });

  it('may be dialled by the platform’s own name of them too, once that is known', async () => {
    const [dialled, named] = [newDigits(), newDigits()];
    await control('PATCH', '/settings', { switches: { aliases: { [dialled]: named } } });
    const template = { name: 'order_update', language: 'en', params: ['a', 'b'] };
    const send = (digits: string) => api.post('/messages', { to: `+${digits}`, kind: 'template', template });
    const first = await send(dialled);
    await untilMessage(majlis, first.body.id, (message) => message.platform_message_id !== null);
    assert.equal((await send(named)).body.conversation_id, first.body.conversation_id);
    assert.equal((await receive(named, 'text', 'Hello')).conversation_id, first.body.conversation_id);
  });

  it('who changes the number stays the same contact, and is answered at the new one', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const { conversation_id } = await receive(from, 'text', 'Hello');
    await control('POST', `/customers/${from}/move`, { phone_number_id, to });
    await eventually(
      () => contactOf(conversation_id),
      ({ identifier }) => identifier === `+${to}`,
    );
    const moved = await receive(to, 'text', 'From my new number');
    assert.equal(moved.conversation_id, conversation_id);
    const id = await sendText(workspace, conversation_id);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    assert.equal(ledgerOf(id).body.to, `+${to}`);
    // The old number is handed on to someone else.
    const next = await receive(from, 'text', 'A stranger');
    assert.notEqual(next.conversation_id, conversation_id);
  });

  it('whose new number another contact has is not made one with that contact', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const [moving, standing] = [await receive(from, 'text', 'A'), await receive(to, 'text', 'B')];
    await control('POST', `/customers/${from}/move`, { phone_number_id, to });
    await receive(newDigits(), 'text', 'later');
    await untilNotificationsProcessed(majlis);
    assert.equal((await contactOf(moving.conversation_id)).identifier, `+${from}`);
    assert.equal((await contactOf(standing.conversation_id)).identifier, `+${to}`);
  });

  it('who stops marketing is not sent any, until they resume', async () => {
    const from = newDigits();
    const { conversation_id } = await receive(from, 'text', 'Hello');
    const marketing = () =>
      api.post(`/conversations/${conversation_id}/messages`, {
        kind: 'template',
        template: { name: 'spring_sale', language: 'en' },
      });
    const consents = async () => {
      const [row] = await majlis.sql<{ consents: object }>('select consents from contacts where id = $1', [
        (await contactOf(conversation_id)).id,
      ]);
      return row!.consents;
    };
    for (const [value, opted_in, status] of [
      ['resume', true, 201],
      ['stop', false, 422],
    ] as const) {
      await control('POST', `/customers/${from}/preference`, { phone_number_id, value });
      await eventually(consents, (now) => JSON.stringify(now) === JSON.stringify({ chatapp_marketing: opted_in }));
      assert.equal((await marketing()).status, status);
    }
  });

  it('who stops marketing stays without it, however late and often an earlier choice is told', async () => {
    const from = newDigits();
    const { conversation_id } = await receive(from, 'text', 'Hello');
    const { contact_id } = await conversationOf(conversation_id);
    const chosenAt = Math.floor(Date.now() / 1000);
    const tell = (value: string, timestamp: number) =>
      postNotification(
        majlis,
        workspace,
        {
          user_preferences: [{ wa_id: from, detail: '', category: 'marketing_messages', value, timestamp }],
        },
        'user_preferences',
      );
    const optIn = async () => {
      await untilNotificationsProcessed(majlis);
      return (await api.get(`/contacts/${contact_id}`)).body.consents.chatapp_marketing;
    };
    const choose = (chatapp_marketing: boolean) =>
      api.post('/contacts', {
        identities: [{ channel_type: 'chatapp', identifier: `+${from}` }],
        consents: { chatapp_marketing },
      });

    await tell('resume', chosenAt - 100);
    assert.equal(await optIn(), true);
    await tell('stop', chosenAt - 10);
    assert.equal(await optIn(), false);
    await tell('resume', chosenAt - 100);
    assert.equal(await optIn(), false);
    // What the business writes down holds against earlier choices too, but for one to stop.
    await choose(true);
    await tell('stop', chosenAt - 5);
    assert.equal(await optIn(), false);
    await choose(true);
    await choose(false);
    await tell('resume', chosenAt - 1);
    assert.equal(await optIn(), false);
    await tell('resume', chosenAt + 3_600);
    assert.equal(await optIn(), true);
  });

  it('who stops marketing of one business is still sent that of another', async () => {
    const from = newDigits();
    const other = await majlis.workspace();
    const optIns: (() => Promise<boolean>)[] = [];
    for (const business of [workspace, other]) {
      const conversation_id = await receiveText(majlis, business, from);
      const { contact_id } = (await business.api.get(`/conversations/${conversation_id}`)).body;
      const consents = { chatapp_marketing: true };
      const identities = [{ channel_type: 'chatapp', identifier: `+${from}` }];
      assert.equal((await business.api.post('/contacts', { identities, consents })).status, 200);
      optIns.push(async () => (await business.api.get(`/contacts/${contact_id}`)).body.consents.chatapp_marketing);
    }
    const timestamp = Math.floor(Date.now() / 1000) + 60;
    const stop = { wa_id: from, detail: '', category: 'marketing_messages', value: 'stop', timestamp };
    await postNotification(majlis, workspace, { user_preferences: [stop] }, 'user_preferences');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await Promise.all(optIns.map((read) => read())), [false, true]);
  });

  it('of whom a failed send tells that they stopped marketing loses the opt-in', async () => {
    const from = newDigits().replace(/\d{6}$/, '131050');
    const { conversation_id } = await receive(from, 'text', 'Hello');
    const { id } = await contactOf(conversation_id);
    await majlis.sql(`update contacts set consents = '{"chatapp_marketing":true,"sms":true}' where id = $1`, [id]);
    await api.post(`/conversations/${conversation_id}/messages`, {
      kind: 'template',
      template: { name: 'spring_sale', language: 'en' },
    });
    await eventually(
      () =>
        majlis.sql<{ consents: { chatapp_marketing: boolean; sms: boolean } }>(
          'select consents from contacts where id = $1',
          [id],
        ),
      ([row]) => !row!.consents.chatapp_marketing && row!.consents.sms,
    );
  });
});

describe('a message that the business sent from the phone app', () => {
  const echo = (to: string, id: string, body: string) => {
    const message_echoes = [
      { from: '96880000001', to, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body } },
    ];
    return postSigned(
      majlis,
      notificationBody(workspace, { message_echoes }, 'smb_message_echoes'),
      workspace.app_secret,
    );
  };

  it('stands in the conversation as sent, is not sent again, and its statuses land', async () => {
    const from = newDigits();
    const conversation_id = await receiveText(majlis, workspace, from);
    const wamid = `wamid.${randomUUID()}`;
    for (let n = 0; n < 2; n++) assert.equal((await echo(from, wamid, 'Come by')).status, 200);
    const message = await readReceivedMessage(majlis, workspace, wamid);
    const { id, created_at, ...said } = message;
    assert.deepEqual(said, { conversation_id, direction: 'outbound', kind: 'text', body: 'Come by', status: 'sent' });
    await postNotification(majlis, workspace, {
      statuses: [{ id: wamid, status: 'read', timestamp: '1772000003', recipient_id: from }],
    });
    await untilMessage(majlis, id, ({ status }) => status === 'read');
    assert.equal((await conversationOf(conversation_id)).unread_count, 0);
    assert.ok(!majlis.simulator.ledger().some((entry) => entry.biz_opaque_callback_data === id));
  });

  it('is our own message where the platform echoes that', async () => {
    const from = newDigits();
    const { conversation_id } = await receive(from, 'text', 'Hello');
    const ours = await sendText(workspace, conversation_id, 'by API');
    const { platform_message_id } = await untilMessage(majlis, ours, (message) => message.platform_message_id !== null);
    await echo(from, platform_message_id!, 'by API');
    await untilNotificationsProcessed(majlis);
    const { body } = await api.get(`/conversations/${conversation_id}/messages`);
    assert.equal(body.data.length, 2);
    await untilMessage(majlis, ours, ({ status }) => status === 'read');
  });
});

function ledgerOf(id: string): { body: Record<string, unknown> } {
  const entry = majlis.simulator.ledger().find(({ biz_opaque_callback_data }) => biz_opaque_callback_data === id);
  return { body: entry!.body! };
}

const control = (method: string, path: string, body: object) => callControl(majlis, method, path, body);

const customer = (wa_id: string, change: object) => control('PATCH', `/customers/${wa_id}`, change);
