import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBusinessWebhook } from './business-webhook.ts';
import { accountId, numberId, secret, startTestSimulator, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator({ switches: { retry_base_ms: 5, webhook_connections: 1 } });

test('repeats the same bytes until they are answered 200', async () => {
  s.receiver.answers.push(500, 404, 302);
  const id = s.write('15550001001');
  await s.settled();
  const posts = s.receiver.received.filter((one) => one.raw.includes(id));
  assert.equal(posts.length, 4);
  assert.equal(new Set(posts.map((one) => one.raw + one.headers['x-hub-signature-256'])).size, 1);
  const { body } = await s.control('GET', 'deliveries');
  const delivery = (body as unknown as { body: string; state: string; attempts: { status: number }[] }[]).find((one) =>
    one.body.includes(id),
  );
  assert.equal(delivery?.state, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map((one) => one.status),
    [500, 404, 302, 200],
  );
});

test('gives up after the time for retries', async () => {
  await s.control('PATCH', 'settings', { switches: { retry_for_ms: 500 } });
  s.receiver.answers.push(...Array<number>(20).fill(500));
  const id = s.write('15550001002');
  await s.settled();
  s.receiver.answers.length = 0;
  const attempts = s.receiver.received.filter((one) => one.raw.includes(id)).length;
  assert.ok(attempts > 1 && attempts < 20);
  await s.control('PATCH', 'settings', { switches: { retry_for_ms: 60_000 } });
});

test('batches what waits for a connection, in one value and in one entry', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => s.write(`1555100${1000 + index}`));
  await s.settled();
  const posts = s.receiver.received.filter((one) => ids.some((id) => one.raw.includes(id)));
  assert.ok(posts.length < 40);
  const seen = s.receiver
    .messages()
    .map((message) => message.id)
    .filter((id) => ids.includes(String(id)));
  assert.deepEqual(seen.sort(), ids.sort());
});

test('puts one item in each webhook when batches are switched off', async () => {
  await s.control('PATCH', 'settings', { switches: { batch_max: 1 } });
  const ids = Array.from({ length: 5 }, (_, index) => s.write(`1555200${1000 + index}`));
  await s.settled();
  assert.equal(s.receiver.received.filter((one) => ids.some((id) => one.raw.includes(id))).length, 5);
});

test('posts a webhook twice at once when told to', async () => {
  await s.control('PATCH', 'settings', { switches: { duplicate_webhooks: 1 } });
  const id = s.write('15550001003');
  await s.settled();
  assert.equal(s.receiver.received.filter((one) => one.raw.includes(id)).length, 2);
  await s.control('PATCH', 'settings', { switches: { duplicate_webhooks: 0 } });
});

test('takes contacts out of statuses, or gives them a profile, as the switch says', async () => {
  const contactsOf = async (mode: string) => {
    await s.control('PATCH', 'settings', { switches: { status_contacts: mode } });
    const wamid = wamidOf(await s.sendTemplate('+15550001003'));
    await s.settled();
    return s.receiver.values().find((value) => value.statuses?.some((one) => one.id === wamid))?.contacts;
  };
  assert.equal(await contactsOf('none'), undefined);
  assert.ok((await contactsOf('with_profile'))?.[0]?.profile);
  const [plain] = (await contactsOf('without_profile')) ?? [];
  assert.equal(plain?.profile, undefined);
  assert.match(String(plain?.user_id), /^US\.\d{20}$/);
});

test('verifies an override before it is used, for messages alone', async () => {
  const other = await startBusinessWebhook(secret, 'other');
  const wrong = await s.call('POST', numberId, {
    webhook_configuration: { override_callback_uri: other.url, verify_token: 'x' },
  });
  assert.equal(wrong.status, 400);
  const right = await s.call('POST', numberId, {
    webhook_configuration: { override_callback_uri: other.url, verify_token: 'other' },
  });
  assert.deepEqual(right.body, { success: true });
  assert.equal(other.challenges.at(-1)?.get('hub.mode'), 'subscribe');
  const id = s.write('15550001004');
  await until('the override is told', () => other.messages().some((message) => message.id === id));
  await s.control('POST', 'customers/15550001004/preference', { phone_number_id: numberId, value: 'stop' });
  await until('the app is told', () => s.receiver.values().some((value) => value.user_preferences));
  const { body } = await s.call('GET', `${numberId}?fields=webhook_configuration`);
  assert.deepEqual(body.webhook_configuration, { phone_number: other.url, application: s.receiver.url });
  await s.call('POST', numberId, { webhook_configuration: { override_callback_uri: '' } });
  await other.close();
});

test('tells nobody of an account that is not subscribed', async () => {
  assert.deepEqual((await s.call('DELETE', `${accountId}/subscribed_apps`)).body, { success: true });
  const id = s.write('15550001005');
  await s.settled();
  assert.ok(s.receiver.messages().every((message) => message.id !== id));
  assert.deepEqual((await s.call('POST', `${accountId}/subscribed_apps`, {})).body, { success: true });
  assert.equal(((await s.call('GET', `${accountId}/subscribed_apps`)).body.data as unknown[]).length, 1);
});

test('posts any field by hand', async () => {
  const value = { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } };
  await s.control('POST', 'webhooks', { waba_id: accountId, field: 'account_update', value });
  await s.settled();
  const entry = s.receiver.received
    .flatMap((one) => one.body.entry)
    .find((one) => one.changes[0]?.field === 'account_update');
  assert.deepEqual(entry?.changes[0]?.value, value);
  assert.equal(typeof entry?.time, 'number');
});
