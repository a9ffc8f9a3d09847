import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberId, startTestSimulator, wamidOf } from './test-simulator.ts';

const s = startTestSimulator();
let last = 15_550_100_000;
const newCustomer = () => `+${++last}`;

/** The statuses of a template, each with what it says of the price. */
async function pricesOf(to: string): Promise<Record<string, unknown>> {
  const wamid = wamidOf(await s.sendTemplate(to));
  await s.settled();
  return Object.fromEntries(s.statusesOf(wamid).map(({ status, pricing }) => [status, pricing]));
}

test('names the price with sent and with delivered, and not again with read', async () => {
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
  assert.deepEqual(await pricesOf(newCustomer()), { sent: pricing, delivered: pricing, read: undefined });
});

test('names it with read where delivered is skipped', async () => {
  const prices = await pricesOf('+15559700005');
  assert.deepEqual(Object.keys(prices).sort(), ['read', 'sent']);
  assert.deepEqual(prices.read, prices.sent);
});

/** What the platform charges for a text to this customer. */
async function priceOfText(to: string): Promise<unknown> {
  const wamid = wamidOf(await s.send(to, { type: 'text', text: { body: 'Hello' } }));
  await s.settled();
  return (await s.control('GET', `messages/${wamid}`)).body.pricing;
}

test('charges for what is no template, and for a utility template inside the window', async () => {
  const to = newCustomer();
  s.write(to.slice(1));
  const charged = { billable: true, pricing_model: 'PMP', type: 'regular' };
  assert.deepEqual((await pricesOf(to)).delivered, { ...charged, category: 'utility' });
  assert.deepEqual(await priceOfText(to), { ...charged, category: 'service' });
});

test('charges nothing for 72 hours after the answer to a customer who came by an advertisement', async () => {
  const to = newCustomer();
  const referral = { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' };
  await s.control('POST', 'inbound', { phone_number_id: numberId, from: to, type: 'text', content: 'Hi', referral });
  const free = { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'referral_conversion' };
  assert.deepEqual(await priceOfText(to), free);
  await s.control('POST', 'clock', { advance_seconds: 71 * 3600 });
  assert.deepEqual((await pricesOf(to)).delivered, free);
  await s.control('POST', 'clock', { advance_seconds: 2 * 3600 });
  assert.equal(((await pricesOf(to)).delivered as { category: string }).category, 'utility');
});

test('charges once for the conversation of 24 hours where the switch says so', async () => {
  await s.control('PATCH', 'settings', { switches: { pricing: 'per_conversation' } });
  const to = newCustomer();
  const conversations = [];
  for (const seconds of [0, 23 * 3600, 2 * 3600]) {
    await s.control('POST', 'clock', { advance_seconds: seconds });
    const wamid = wamidOf(await s.sendTemplate(to));
    await s.settled();
    const delivered = s.statusesOf(wamid).find(({ status }) => status === 'delivered')!;
    assert.equal((delivered.pricing as { pricing_model: string }).pricing_model, 'CBP');
    conversations.push((delivered.conversation as { id: string }).id);
  }
  assert.equal(conversations[0], conversations[1]);
  assert.notEqual(conversations[1], conversations[2]);
  assert.ok(conversations.every((id) => !id.includes(to.slice(1)) && !id.includes(numberId)));
});

test('says nothing of prices where the switch says so, save what is reported by hand', async () => {
  await s.control('PATCH', 'settings', { switches: { pricing: 'never' } });
  const wamid = wamidOf(await s.sendTemplate(newCustomer()));
  await s.settled();
  assert.ok(s.statusesOf(wamid).every(({ pricing }) => pricing === undefined));
  await s.control('POST', `messages/${wamid}/status`, { status: 'read', pricing: { category: 'marketing_lite' } });
  await s.settled();
  const { pricing } = s.statusesOf(wamid).at(-1)!;
  assert.equal((pricing as { category: string }).category, 'marketing_lite');
});
