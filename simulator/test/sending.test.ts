import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, numberId, startTestSimulator, wamidOf } from './test-simulator.ts';

const s = startTestSimulator();
const text = { type: 'text', text: { body: 'Your order is ready.' } };

test('accepts a text, gives it an id and reports sent, delivered and read by signed webhook', async () => {
  s.write('15550002222');
  const answer = await s.send('+1 555-000-2222', { ...text, biz_opaque_callback_data: 'msg_1' });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.contacts, [{ input: '+1 555-000-2222', wa_id: '15550002222' }]);
  const wamid = wamidOf(answer);
  await s.settled();
  const statuses = s.statusesOf(wamid);
  assert.deepEqual(new Set(statuses.map((status) => status.status)), new Set(['sent', 'delivered', 'read']));
  for (const status of statuses) {
    assert.equal(status.biz_opaque_callback_data, 'msg_1');
    assert.equal(status.recipient_id, '15550002222');
    assert.match(String(status.timestamp), /^\d{10}$/);
  }
  assert.ok(s.receiver.received.every((one) => one.verified));
  const value = s.receiver.values().find((one) => one.statuses);
  assert.deepEqual(value?.metadata, { display_phone_number: '12025550111', phone_number_id: numberId });
});

test('fails what is no template outside the window, later and with 131047', async () => {
  const answer = await s.send('+15550003333', text);
  assert.equal(answer.status, 200);
  await s.settled();
  const [failed] = s.statusesOf(wamidOf(answer));
  assert.equal(failed?.status, 'failed');
  assert.equal(failed?.errors?.[0]?.code, 131047);
  assert.equal(failed?.pricing, undefined);
});

test('delivers a template outside the window', async () => {
  const answer = await s.sendTemplate('+15550003334');
  assert.equal((answer.body.messages as { message_status: string }[])[0]!.message_status, 'accepted');
  await s.settled();
  const statuses = s.statusesOf(wamidOf(answer));
  assert.equal(statuses.length, 3);
  const sent = statuses.find((status) => status.status === 'sent');
  assert.deepEqual(sent?.pricing, { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' });
  assert.equal(sent?.conversation, undefined);
});

test('keeps the conversation object before version 24', async () => {
  const answer = await fetch(`${s.simulator.url}/v23.0/${numberId}/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer platform-token' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      to: '15550002222',
      ...text,
    }),
  });
  const { messages } = (await answer.json()) as { messages: [{ id: string }] };
  await s.settled();
  const sent = s.statusesOf(messages[0].id).find((status) => status.status === 'sent');
  assert.ok((sent?.conversation as { expiration_timestamp?: string } | undefined)?.expiration_timestamp);
});

test('writes every accepted send into the ledger with what the caller gave', async () => {
  const from = s.simulator.ledger().length;
  const answer = await s.sendTemplate('+15550004444', { biz_opaque_callback_data: 'msg_2' });
  const [entry, ...others] = s.simulator.ledger().slice(from);
  assert.equal(others.length, 0);
  assert.equal(entry?.wamid, wamidOf(answer));
  assert.equal(entry?.to, '+15550004444');
  assert.equal(entry?.biz_opaque_callback_data, 'msg_2');
  assert.equal(entry?.body?.type, 'template');
});

test('drops a user id in `to` in silence', async () => {
  const answer = await s.send('US.13491208655302741918', text);
  assert.equal(answer.status, 200);
  await s.settled();
  assert.deepEqual(s.statusesOf(wamidOf(answer)), []);
});

test('judges in the order token, object, JSON, product, recipient, type, content', async () => {
  const path = `${numberId}/messages`;
  const codes = async (body: unknown, headers = {}) => {
    const { status, body: answer } = await s.call('POST', path, body, headers);
    return [status, answer.error?.code];
  };
  assert.deepEqual(await codes('{', { authorization: '' }), [401, 104]);
  assert.deepEqual(await codes('{', { authorization: 'Bearer wrong' }), [401, 190]);
  const foreign = await s.call('POST', '999/messages', '{');
  assert.equal(foreign.body.error?.error_subcode, 33);
  assert.equal(foreign.body.error?.type, 'GraphMethodException');
  assert.deepEqual(await codes('{'), [400, 100]);
  assert.deepEqual(await codes({ to: 'x', type: 'y' }), [400, 100]);
  assert.deepEqual(await codes({ messaging_product: 'whatsapp', type: 'y' }), [400, 100]);
  assert.deepEqual(await codes({ messaging_product: 'whatsapp', to: '+15550002222', type: 'poem' }), [400, 131051]);
  assert.deepEqual(await codes({ messaging_product: 'whatsapp', to: '+15550002222', type: 'text' }), [400, 131008]);
  assert.deepEqual(
    await codes({ messaging_product: 'whatsapp', to: '+15550002222', type: 'text', text: { body: 'x'.repeat(4097) } }),
    [400, 100],
  );
  assert.deepEqual(await codes({ messaging_product: 'whatsapp', to: '+12025550111', ...text }), [400, 131021]);
});

test('shapes a refusal as the platform does', async () => {
  const { body, headers } = await s.send('+15550130429', text);
  const { fbtrace_id, ...error } = body.error!;
  assert.match(String(fbtrace_id), /^\w{23}$/);
  assert.deepEqual(error, {
    message: '(#130429) Rate limit hit',
    type: 'OAuthException',
    code: 130429,
    error_data: { messaging_product: 'whatsapp', details: 'Cloud API message throughput has been reached.' },
    error_subcode: 2494055,
  });
  assert.ok(headers.get('x-fb-trace-id'));
  assert.equal(headers.get('facebook-api-version'), 'v24.0');
});

test('tells the business what a customer wrote', async () => {
  const id = s.write('15550005555', 'مرحبا 😀 a/b');
  await s.settled();
  const value = s.receiver.values().find((one) => one.messages?.some((message) => message.id === id));
  assert.deepEqual(value?.contacts?.[0]?.profile, { name: 'Sara' });
  const message = value?.messages?.[0];
  assert.equal(message?.from, '15550005555');
  assert.deepEqual(message?.text, { body: 'مرحبا 😀 a/b' });
  const post = s.receiver.received.find((one) => one.raw.includes(id));
  assert.ok(post?.raw.includes(String.raw`\u0645\u0631\u062d\u0628\u0627 \ud83d\ude00 a\/b`));
  assert.equal(post?.body.object, 'whatsapp_business_account');
  assert.equal(post?.body.entry[0]?.id, accountId);
});
