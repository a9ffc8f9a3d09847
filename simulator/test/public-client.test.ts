import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  ActionLocation,
  ActionNavigateFlow,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Contacts,
  Document,
  Footer,
  Header,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Phone,
  Reaction,
  Row,
  Template,
  Text,
  URLComponent,
} from 'whatsapp-api-js/messages';
import { numberId, orderTemplate, secret, startTestSimulator, token } from './test-simulator.ts';

/**
 * A public client of the platform as the judge: it was written against the real one and is used unchanged.
 * It has no setting for its base address, so its fetch puts our host in the place of the platform's.
 */
const tracked = {
  ...orderTemplate,
  name: 'tracked',
  components: [
    { type: 'BODY', text: 'Hello {{1}}, it is on its way.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/t/{{1}}' }] },
  ],
};
const s = startTestSimulator({ templates: [orderTemplate, tracked] });
const customer = '15550006001';

function client(given: { token?: string } = {}): WhatsAppAPI {
  const toSimulator: typeof fetch = (input, init) =>
    fetch(String(input).replace('https://graph.facebook.com', s.simulator.url), init);
  return new WhatsAppAPI({
    token,
    appSecret: secret,
    webhookVerifyToken: 'verify',
    v: 'v24.0',
    ponyfill: { fetch: toSimulator },
    ...given,
  });
}

test('sends every kind of message that the client knows and we serve', async () => {
  const api = client();
  s.write(customer);
  const buttons = new ActionButtons(new Button('keep', 'Keep it'), new Button('change', 'Change'));
  const list = new ActionList(
    'Show',
    new ListSection('North', new Row('b1', 'Olaya', 'Open 9-22')),
    new ListSection('South', new Row('b2', 'Seeb')),
  );
  const messages = [
    new Text('Your order is ready. 😀', true),
    new Image('https://example.com/a.jpg', false, 'Front'),
    new Document('https://example.com/a.pdf', false, 'Invoice', 'a.pdf'),
    new Location(46.6753, 24.7136, 'Main branch', 'King Rd 1'),
    new Interactive(buttons, new Body('Keep the slot?'), new Header('Delivery'), new Footer('Soon')),
    new Interactive(list, new Body('Pick one')),
    new Interactive(new ActionCTA('Track', 'https://example.com/t'), new Body('On its way'), new Header('Order')),
    new Interactive(new ActionNavigateFlow('token', '880000000000009', 'Book', 'DATES'), new Body('Book a visit')),
    new Interactive(new ActionLocation(), new Body('Where are you?')),
    new Contacts([new Name('Muna Al Harthi', 'Muna'), new Phone('+96891234567', 'WORK', '96891234567')]),
    new Template('order_update', 'en_US', new BodyComponent(new BodyParameter('Sara'), new BodyParameter('A-1007'))),
    new Template('tracked', 'en_US', new BodyComponent(new BodyParameter('Sara')), new URLComponent('A-1007')),
  ];
  for (const message of messages) {
    const answer = await api.sendMessage(numberId, customer, message, undefined, 'msg_9');
    assert.equal(
      answer.error,
      undefined,
      `${message._type}: ${answer.error?.error_data?.details ?? answer.error?.message}`,
    );
    assert.match(answer.messages![0].id, /^wamid\./);
    assert.equal(answer.contacts![0].wa_id, customer);
  }
});

test('quotes, reacts and marks as read', async () => {
  const api = client();
  const inbound = s.write(customer);
  const answer = await api.sendMessage(numberId, customer, new Text('Yes'), inbound);
  assert.equal(answer.error, undefined);
  const reaction = await api.sendMessage(numberId, customer, new Reaction(inbound, '👍'));
  assert.equal(reaction.error, undefined);
  assert.deepEqual(await api.markAsRead(numberId, inbound, 'text'), { success: true });
});

test('uploads, reads, fetches and deletes media', async () => {
  const api = client();
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', 'image/png');
  form.set('file', new Blob(['bytes'], { type: 'image/png' }), 'a.png');
  const { id } = (await api.uploadMedia(numberId, form)) as { id: string };
  const media = await api.retrieveMedia(id, numberId);
  assert.equal(media.error, undefined);
  assert.equal(await (await api.fetchMedia(media.url!)).text(), 'bytes');
  const sent = await api.sendMessage(numberId, customer, new Image(id, true, 'Front'));
  assert.equal(sent.error, undefined);
  assert.deepEqual(await api.deleteMedia(id, numberId), { success: true });
});

test('blocks and unblocks, at the address without a version', async () => {
  const api = client();
  s.write(customer);
  const blocked = await api.blockUser(numberId, customer);
  assert.deepEqual(blocked, {
    messaging_product: 'whatsapp',
    block_users: { added_users: [{ input: customer, wa_id: customer }] },
  });
  assert.ok('block_users' in (await api.unblockUser(numberId, customer)));
});

test('reads our refusals', async () => {
  const refused = await client().sendMessage(numberId, '15550130429', new Text('x'));
  assert.equal(refused.error?.code, 130429);
  assert.ok(refused.error?.fbtrace_id);
  const expired = await client({ token: 'wrong' }).sendMessage(numberId, customer, new Text('x'));
  assert.equal(expired.error?.code, 190);
});

test('verifies the signature over the bytes of our webhooks, and understands what they carry', async () => {
  const api = client();
  const seen: string[] = [];
  api.on.message = ({ from, name, message }) => void seen.push(`${from} ${name} ${message.type}`);
  api.on.status = ({ phone, status, id }) => void seen.push(`${phone} ${status} ${id}`);
  s.write(customer, 'مرحبا 😀 a/b');
  const answer = await api.sendMessage(numberId, customer, new Text('Yes'));
  assert.ok(answer.error === undefined);
  await s.settled();
  for (const { raw, body, headers } of s.receiver.received) {
    const signature = String(headers['x-hub-signature-256']);
    assert.equal(await api.verifyRequestSignature(raw, signature), true);
    assert.equal(await api.verifyRequestSignature(`${raw} `, signature), false);
    await api.post(body as unknown as Parameters<typeof api.post>[0], raw, signature);
  }
  assert.ok(seen.includes(`${customer} Sara text`));
  for (const status of ['sent', 'delivered', 'read']) {
    assert.ok(seen.includes(`${customer} ${status} ${answer.messages[0].id}`));
  }
});

test('answers our verification challenge', async () => {
  const { body } = await s.control('POST', `numbers/${numberId}/verify-webhook`, {});
  assert.equal(body.verified, true);
  const query = Object.fromEntries(s.receiver.challenges.at(-1)!) as Record<string, string>;
  assert.equal(client().get(query as unknown as Parameters<WhatsAppAPI['get']>[0]), query['hub.challenge']);
});
