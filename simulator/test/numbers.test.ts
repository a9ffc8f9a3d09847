import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dict } from '../src/world/message.ts';
import { accountId, numberId, startTestSimulator } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const fieldValues = (field: string) =>
  s.receiver.received
    .flatMap((one) => one.body.entry.flatMap((entry) => entry.changes))
    .filter((one) => one.field === field)
    .map((one) => one.value);
const patch = (change: object) => s.control('PATCH', `numbers/${numberId}`, change);

test('answers for a number with the default fields, or with those asked for', async () => {
  assert.deepEqual((await s.call('GET', numberId)).body, {
    display_phone_number: '+1 202-555-0111',
    verified_name: 'Example Shop',
    quality_rating: 'GREEN',
    code_verification_status: 'VERIFIED',
    id: numberId,
  });
  const { body } = await s.call(
    'GET',
    `${numberId}?fields=status,throughput,whatsapp_business_manager_messaging_limit`,
  );
  assert.deepEqual(body, {
    status: 'CONNECTED',
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_1K',
    id: numberId,
  });
});

test('lists the numbers of an account, and answers for the account itself', async () => {
  const { body } = await s.call('GET', `${accountId}/phone_numbers`);
  assert.deepEqual(
    (body.data as Dict[]).map((one) => one.id),
    [numberId],
  );
  assert.equal(
    (await s.call('GET', `${accountId}?fields=account_review_status`)).body.account_review_status,
    'APPROVED',
  );
  assert.equal((await s.call('GET', '77')).body.error?.error_subcode, 33);
});

test('refuses sends of a deregistered number until it is registered, ten times in 72 hours at most', async () => {
  await s.call('POST', `${numberId}/deregister`, {});
  assert.equal((await s.sendTemplate('+15550009001')).body.error?.code, 133010);
  assert.equal(
    (await s.call('POST', `${numberId}/register`, { messaging_product: 'whatsapp', pin: '12' })).body.error?.code,
    133005,
  );
  const register = () => s.call('POST', `${numberId}/register`, { messaging_product: 'whatsapp', pin: '123456' });
  for (let time = 0; time < 10; time++) assert.equal((await register()).status, 200);
  assert.equal((await register()).body.error?.code, 133016);
  assert.equal((await s.sendTemplate('+15550009001')).status, 200);
});

test('answers 190 with subcode 463 while the token is expired', async () => {
  await patch({ token_expired: true });
  const { status, body } = await s.sendTemplate('+15550009002');
  assert.deepEqual([status, body.error?.code, body.error?.error_subcode], [401, 190, 463]);
  await patch({ token_expired: false });
  assert.equal((await s.sendTemplate('+15550009002')).status, 200);
});

test('tells of a new tier, quality and restriction', async () => {
  await patch({ tier: 10_000, quality_rating: 'RED' });
  await until('tier and quality are told', () => fieldValues('phone_number_quality_update').length === 2);
  assert.equal(fieldValues('business_capability_update')[0]?.max_daily_conversations_per_business, 'TIER_10K');
  await patch({ status: 'RESTRICTED' });
  await until('the restriction is told', () => fieldValues('account_update').length === 1);
  assert.equal((await s.sendTemplate('+15550009003')).body.error?.code, 131031);
  await patch({ status: 'CONNECTED' });
});

test('enforces the throughput of a number when switched on', async () => {
  await s.control('PATCH', 'settings', { switches: { throughput: true, throughput_per_second: 5 } });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => s.sendTemplate(`+1555001${1000 + index}`)),
  );
  const refused = answers.filter((one) => one.body.error?.code === 130429).length;
  assert.ok(refused > 0 && refused <= 25);
  await s.control('PATCH', 'settings', { switches: { throughput: false } });
});

test('enforces one message in six seconds to one user after a burst of 45', async () => {
  await s.control('PATCH', 'settings', { switches: { pair_rate: true } });
  const send = async () => (await s.sendTemplate('+15550009004')).body.error?.code;
  for (let count = 0; count < 45; count++) assert.equal(await send(), undefined);
  assert.equal(await send(), 131056);
  await s.control('POST', 'clock', { advance_seconds: 6 });
  assert.equal(await send(), undefined);
  assert.equal(await send(), 131056);
  await s.control('PATCH', 'settings', { switches: { pair_rate: false } });
});

test('enforces 5,000 management calls an hour when switched on', async () => {
  await s.control('PATCH', 'settings', { switches: { management_rate: true } });
  await patch({ registered: false });
  const codes: unknown[] = [];
  for (let count = 0; count < 201; count++)
    codes.push((await s.call('GET', `${accountId}/phone_numbers`)).body.error?.code);
  assert.equal(codes[199], undefined);
  assert.equal(codes[200], 80007);
  await patch({ registered: true });
  await s.control('PATCH', 'settings', { switches: { management_rate: false } });
});

test('blocks who wrote within 24 hours, and tells nothing of what the blocked write', async () => {
  s.write('15550009005');
  const body = (user: string) => ({ messaging_product: 'whatsapp', block_users: [{ user }] });
  const { body: answer } = await s.call('POST', `${numberId}/block_users`, body('15550009005'));
  assert.deepEqual(answer.block_users, { added_users: [{ input: '15550009005', wa_id: '15550009005' }] });
  const id = s.write('15550009005', 'unseen');
  await s.settled();
  assert.ok(s.receiver.messages().every((message) => message.id !== id));
  assert.equal((await s.call('POST', `${numberId}/block_users`, body('15550009006'))).body.error?.code, 139100);
  assert.equal(((await s.call('GET', `${numberId}/block_users`)).body.data as Dict[]).length, 1);
  await s.call('DELETE', `${numberId}/block_users`, body('15550009005'));
  assert.equal(((await s.call('GET', `${numberId}/block_users`)).body.data as Dict[]).length, 0);
});

test('takes numbers in and out while it runs', async () => {
  const number = {
    phone_number_id: '9',
    waba_id: '8',
    display_phone: '+15550001199',
    verified_name: 'New',
    access_token: 'new',
  };
  assert.equal((await s.control('POST', 'numbers', number)).status, 201);
  const ask = () => s.call('GET', '9', undefined, { authorization: 'Bearer new' });
  assert.equal((await ask()).status, 200);
  assert.equal((await s.call('GET', '9')).body.error?.error_subcode, 33);
  assert.equal((await s.control('DELETE', 'numbers/9')).status, 204);
  assert.equal((await ask()).body.error?.code, 190);
  assert.equal((await s.control('POST', 'numbers', { waba_id: '8' })).status, 400);
});

test('resolves a dialled number to another account id where an alias says so', async () => {
  await s.control('PATCH', 'settings', { switches: { aliases: { '5511987654321': '551187654321' } } });
  const { body } = await s.sendTemplate('+55 11 98765-4321');
  assert.deepEqual(body.contacts, [{ input: '+55 11 98765-4321', wa_id: '551187654321' }]);
});
