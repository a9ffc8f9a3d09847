import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberId, startTestSimulator, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const customer = '15550007001';
const parameters = { flow_message_version: '3', flow_cta: 'Book', flow_id: '8', flow_token: 'visit-7' };

function interactive(type: string, action: object, more: object = {}) {
  return { type: 'interactive', interactive: { type, body: { text: 'Which?' }, action, ...more } };
}
const link = (given: object) => interactive('cta_url', { name: 'cta_url', parameters: given });
const flow = (given: object) => interactive('flow', { name: 'flow', parameters: given });

test('the location of the customer and a filled flow come back as answers to the message', async () => {
  s.write(customer);
  const asked = await s.send(customer, interactive('location_request_message', { name: 'send_location' }));
  const offered = await s.send(customer, flow(parameters));
  for (const [answer, type] of [
    [asked, 'location'],
    [offered, 'interactive'],
  ] as const) {
    const before = s.receiver.messages().length;
    assert.equal((await s.control('POST', `messages/${wamidOf(answer)}/tap`, {})).status, 201);
    await until('the answer', () => s.receiver.messages().length > before);
    const message = s.receiver.messages().at(-1)!;
    assert.deepEqual([message.type, (message.context as { id: string }).id], [type, wamidOf(answer)]);
  }
  const { interactive: sent } = s.receiver.messages().at(-1)!;
  const nfm_reply = { name: 'flow', body: 'Sent', response_json: '{"flow_token":"visit-7"}' };
  assert.deepEqual(sent, { type: 'nfm_reply', nfm_reply });
});

test('a customer who hides the number shares it by a tap, and shows it from then on', async () => {
  const hidden = '15550007002';
  await s.control('PATCH', `customers/${hidden}`, { number_hidden: true });
  s.write(hidden);
  const asked = await s.send(hidden, interactive('request_contact_info', { name: 'request_contact_info' }));
  await s.control('POST', `messages/${wamidOf(asked)}/tap`, {});
  await until('the card', () => s.receiver.messages().at(-1)?.type === 'contacts');
  const answer = s.receiver.messages().at(-1)!;
  assert.equal(answer.from, undefined);
  assert.deepEqual(answer.contacts, [
    {
      origin: 'contact_request',
      name: { formatted_name: 'Sara', first_name: 'Sara' },
      phones: [{ phone: `+${hidden}`, wa_id: hidden, type: 'MOBILE' }],
    },
  ]);
  s.write(hidden);
  await until('the next message', () => s.receiver.messages().at(-1)?.from === hidden);
});

test('a link, a flow and a request for the location are refused with the member that is wrong', async () => {
  s.write(customer);
  for (const [body, code, member] of [
    [link({ display_text: 'Track', url: 'ftp://example.com' }), 131009, /\['url'\]/],
    [link({ display_text: 'x'.repeat(21), url: 'https://example.com' }), 100, /\['display_text'\]/],
    [link({ url: 'https://example.com' }), 131008, /\['display_text'\]/],
    [flow({ ...parameters, flow_message_version: '2' }), 131009, /\['flow_message_version'\]/],
    [flow({ ...parameters, flow_name: 'visit' }), 131009, /either flow_id or flow_name/],
    [interactive('location_request_message', { name: 'locate' }), 131009, /\['name'\]/],
    [interactive('request_contact_info', { name: 'contact_request' }), 131009, /\['name'\]/],
    [
      interactive('location_request_message', { name: 'send_location' }, { header: { type: 'text', text: 'Hi' } }),
      131009,
      /\['header'\]/,
    ],
    [interactive('catalog_message', { name: 'catalog_message' }), 131009, /\['type'\]/],
  ] as const) {
    const { status, body: refused } = await s.send(customer, body);
    const { message, error_data } = refused.error as unknown as { message: string; error_data?: { details: string } };
    assert.deepEqual([status, refused.error!.code], [400, code]);
    assert.match(error_data?.details ?? message, member);
  }
});

test('contact cards come as a list or as its JSON in a text, and each needs a name', async () => {
  s.write(customer);
  const cards = [{ name: { formatted_name: 'Muna', first_name: 'Muna' }, phones: [{ phone: '+96891234567' }] }];
  for (const contacts of [cards, JSON.stringify(cards)]) {
    const answer = await s.send(customer, { type: 'contacts', contacts });
    assert.equal(answer.status, 200);
    assert.deepEqual((await s.control('GET', `messages/${wamidOf(answer)}`)).body.content, cards);
  }
  for (const contacts of ['no list', '{}', [{}], ['Muna']]) {
    assert.equal((await s.send(customer, { type: 'contacts', contacts })).status, 400);
  }
});

test('the profile and the settings of a number are read and changed', async () => {
  const profile = `${numberId}/whatsapp_business_profile`;
  const change = { messaging_product: 'whatsapp', about: 'Furniture', websites: ['https://example.com/'] };
  assert.deepEqual((await s.call('POST', profile, change)).body, { success: true });
  const { body } = await s.call('GET', `${profile}?fields=about,websites`);
  const shown = { about: 'Furniture', websites: ['https://example.com/'], messaging_product: 'whatsapp' };
  assert.deepEqual(body, { data: [shown] });
  for (const wrong of [
    { about: 'Furniture' },
    { ...change, about: 'x'.repeat(140) },
    { ...change, motto: 'Sit' },
    { ...change, websites: ['https://a.example', 'https://b.example', 'https://c.example'] },
  ]) {
    assert.equal((await s.call('POST', profile, wrong)).status, 400);
  }

  const settings = `${numberId}/settings`;
  const calling = { status: 'ENABLED' };
  assert.deepEqual((await s.call('POST', settings, { calling })).body, { success: true });
  assert.deepEqual((await s.call('GET', settings)).body.calling, calling);
  for (const wrong of [{}, { colour: {} }, { calling: 'on' }]) {
    assert.equal((await s.call('POST', settings, wrong)).status, 400);
  }
  assert.equal((await s.call('GET', settings, undefined, { authorization: 'Bearer wrong' })).status, 401);
});
