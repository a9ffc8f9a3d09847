import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { holdTransaction } from '@majlis/testing/hold-transaction';
import type { AnyJson } from '@majlis/testing/json';
import { notificationBody, platformText, postSigned, receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, openBrowser, password } from '@majlis/testing/people';
import { startTestService, type TestService, templateMessage } from '@majlis/testing/start-test-service';
import { createTestDatabase } from '@majlis/testing/test-database';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { whileHeld } from '@majlis/testing/while-held';
import { publishWorkflows } from '@majlis/testing/workflows';
import { Secret, TOTP } from 'otpauth';
import pino from 'pino';
import Stripe from 'stripe';
import { openPool } from '../src/database/pool.ts';
import { loadLocalSecrets } from '../src/process/local-secrets.ts';
import { sealedPlaces } from '../src/sealed-places.ts';
import { createSecretBox } from '../src/secrets/encrypt.ts';
import { sealedWithOldKeys } from '../src/secrets/sealed-rows.ts';

const keys = { a: 'the first secret key of ours', b: 'the second secret key of ours', c: 'a key that sealed nothing' };
const { webhooks } = new Stripe('sk_test_unused');
const newCustomer = () => `9689${randomInt(1_000_000, 10_000_000)}`;
const verify_token = 'verify-of-the-rotation';

const database = await createTestDatabase();
const first = await startTestService({ database, env: { SECRET_KEY: keys.a, RATE_LIMITS: 'off' } });
const workspace = await first.workspace();
const waba_id = workspace.waba_id;
const app_secret = workspace.app_secret;
// A second number of the same app: a notification that names both is stored as the first one's.
const sibling = { waba_id, app_secret, phone_number_id: `55${randomInt(1e12)}`, access_token: 'token-of-the-sibling' };
const { body: applied } = await first.operator('PUT', '/workspaces', {
  workspace: { name: workspace.applied.workspace.name },
  channels: [{ type: 'chatapp', name: 'Sales', display_phone: '+96880000002', verify_token, ...sibling }],
});
const receiver = await startWebhookReceiver();
const { body: endpoint } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
const owner = await joinWorkspace(first, workspace);
const { body: setup } = await owner.post('/totp');
const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp });
const nowOf = async (majlis: TestService) => Date.parse((await majlis.operator('GET', '/clock')).body.now);
const enabled = await owner.request('PUT', '/totp', { code: codeAt(await nowOf(first)) });
const recovery_codes: string[] = enabled.body.recovery_codes;
// A process compiles a workflow once, so each use of all secrets runs another one.
const workflows = await publishWorkflows(
  first,
  workspace,
  ...[1, 2, 3, 4].map((n) => ({
    name: `Calls ${n}`,
    trigger: 'api_call',
    steps: [{ do: 'call', url: receiver.url, headers: { Authorization: 'Bearer of-the-rotation' } }],
  })),
);
const unused = [...workflows.values()];

const secretsOf = async (majlis: TestService) => (await majlis.operator('GET', '/secrets')).body;
const sealedBy = async (majlis: TestService) =>
  (await majlis.sql(`select distinct encode(substring(access_token for 9), 'hex') as head from channels`)).length;

/** Uses every secret: sends, notifications, the verification of the address, signatures, calls, sign-in. */
async function useAll(majlis: TestService): Promise<void> {
  const api = createApi(majlis.url, workspace.key);
  const to = { to: `+${newCustomer()}`, channel_id: workspace.channel_id };
  assert.equal((await api.post('/messages', { ...to, ...templateMessage })).status, 201);
  await eventually(
    () => majlis.sql(`select platform_message_id from messages where kind = 'template' order by id desc limit 1`),
    ([row]) => row!.platform_message_id !== null,
  );

  const before = receiver.arrivals.length;
  await receiveText(majlis, sibling, newCustomer());
  const [arrival] = await eventually(
    async () => receiver.arrivals.slice(before).filter(({ event }) => event.type === 'message.received'),
    ({ length }) => length > 0,
  );
  const { body, signature } = arrival!;
  webhooks.constructEvent(body, signature, endpoint.secret, 300, undefined, await nowOf(majlis));

  const challenge = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verify_token,
    'hub.challenge': '42',
  });
  assert.equal(await (await fetch(`${majlis.url}/platform/chatapp/webhook?${challenge}`)).text(), '42');

  const contact = { channel_type: 'chatapp', identifier: `+${newCustomer()}` };
  assert.equal((await api.post(`/workflows/${unused.shift()}/runs`, { contact })).status, 202);
  await eventually(
    () => receiver.arrivals.slice(before).map(({ headers }) => headers.authorization),
    (seen) => seen.includes('Bearer of-the-rotation'),
  );

  // Each code signs in once.
  await majlis.advance(60);
  const browser = openBrowser(majlis);
  await browser.post('/sign-in', { email: owner.email, password });
  assert.equal((await browser.post('/sign-in/code', { code: codeAt(await nowOf(majlis)) })).status, 200);

  assert.deepEqual((await secretsOf(majlis)).unopened, {});
}

it('a new SECRET_KEY works at once with the old one beside it, and alone after all is sealed again', async () => {
  await useAll(first);
  const { next_cursor } = (await workspace.api.get('/contacts?limit=1')).body;
  await first.stop();

  // Stored and not applied before the rotation: about both numbers, signed with their common secret.
  const acceptor = await first.another({ ROLES: 'api' });
  const [one, two] = [platformText(newCustomer(), 'To the first'), platformText(newCustomer(), 'To the sibling')];
  const entries = [workspace, sibling].map((channel, n) => {
    const message = [one, two][n]!;
    const contacts = [{ profile: { name: 'Muna' }, wa_id: message.from }];
    return JSON.parse(notificationBody(channel, { contacts, messages: [message] })).entry[0];
  });
  const posted = await postSigned(
    acceptor,
    JSON.stringify({ object: 'whatsapp_business_account', entry: entries }),
    app_secret,
  );
  assert.equal(posted.status, 200);
  await acceptor.sql(`update jobs set run_at = run_at + interval '2 hours' where kind = 'inbound.process_webhook'`);
  await acceptor.stop();

  const second = await first.another({ SECRET_KEY: keys.b, SECRET_KEY_OLD: keys.a });
  await useAll(second);
  assert.ok(!second.log.join('').includes('neither SECRET_KEY'), 'the old key opens what it sealed');
  const other = createApi(second.url, workspace.key);
  assert.equal((await other.get(`/contacts?limit=1&cursor=${next_cursor}`)).status, 200);
  await second.advance(120);
  await eventually(
    () => sealedBy(second),
    (count) => count === 1,
  );
  assert.equal((await secretsOf(second)).old_key_in_use, true, 'the waiting notification needs it');
  await second.advance(2 * 3_600);
  const stored = () =>
    second.sql('select channel_id from messages where platform_message_id = any ($1)', [[one.id, two.id]]);
  await eventually(stored, (rows) => new Set(rows.map(({ channel_id }) => channel_id)).size === 2);
  await eventually(
    () => secretsOf(second),
    ({ old_key_in_use }) => old_key_in_use === false,
  );
  await second.advance(120);
  await eventually(
    () => second.log.join(''),
    (log) => log.includes('nothing is sealed with SECRET_KEY_OLD any more'),
  );
  await useAll(second);
  await second.stop();

  const third = await first.another({ SECRET_KEY: keys.b });
  await useAll(third);
  assert.deepEqual(await secretsOf(third), { old_key_in_use: false, unopened: {} });
  assert.ok(!third.log.join('').includes('SECRET_KEY_OLD opens'));
  await third.stop();
});

it('a start with a foreign key names what it cannot open, and serves on', async () => {
  const foreign = await first.another({ SECRET_KEY: keys.c });
  const lines = await eventually(
    () => foreign.log.filter((line) => line.includes('neither SECRET_KEY nor SECRET_KEY_OLD opens')),
    ({ length }) => length === 5,
  );
  const log = lines.join('');
  for (const name of [
    workspace.channel_id,
    applied.channels[0].id,
    sibling.phone_number_id,
    endpoint.id,
    ...workflows.values(),
  ]) {
    assert.ok(log.includes(name), name);
  }
  for (const secret of [sibling.access_token, app_secret, verify_token, endpoint.secret, setup.secret, receiver.url]) {
    assert.ok(!foreign.log.join('').includes(secret));
  }
  const { unopened } = await secretsOf(foreign);
  assert.deepEqual(Object.keys(unopened), ['channels', 'webhook_endpoints', 'people', 'workflows', 'receipt_keys']);
  assert.deepEqual(unopened.webhook_endpoints, {
    names: [{ workspace_id: workspace.id, endpoint_id: endpoint.id }],
    has_more: false,
  });

  assert.equal((await fetch(`${foreign.url}/readyz`)).status, 200);
  const { data } = (await createApi(foreign.url, workspace.key).get('/channels')).body;
  assert.deepEqual(
    data.map(({ status }: AnyJson) => status),
    ['DISCONNECTED', 'DISCONNECTED'],
  );
  const message = platformText(newCustomer(), 'Hello');
  const refused = await postSigned(foreign, notificationBody(workspace, { messages: [message] }), app_secret);
  assert.equal(refused.status, 401);
  const browser = openBrowser(foreign);
  await browser.post('/sign-in', { email: owner.email, password });
  assert.equal((await browser.post('/sign-in/code', { code: codeAt(await nowOf(foreign)) })).status, 401);
  assert.equal((await browser.post('/sign-in/code', { code: recovery_codes[0] })).status, 200);
  await foreign.stop();
});

/** Each column with a secret: another value of it, and what sets it back. */
const changes: Record<string, Record<string, readonly [changed: string, back: string]>> = {
  channels: Object.fromEntries(['access_token', 'app_secret', 'verify_token'].map((name) => [name, lengthened(name)])),
  webhook_endpoints: {
    secret: lengthened('secret'),
    old_secret: ['secret', 'null'],
  },
  people: { totp_secret: lengthened('totp_secret') },
  workflows: {
    definition: [`(definition::jsonb || '{"changed": true}')::json`, `(definition::jsonb - 'changed')::json`],
  },
  receipt_keys: { private_key: lengthened('private_key') },
};

/** What else is set with a column. */
const beside: Record<string, string> = {
  old_secret: `, old_secret_until = case when old_secret is null then now() end`,
};

function lengthened(column: string): readonly [string, string] {
  return [`${column} || '\\x00'::bytea`, `substring(${column} for octet_length(${column}) - 1)`];
}

it('what changes at the moment in which it is sealed again stays as it was changed', async () => {
  const { connection } = database;
  const pool = openPool({ connection, size: 4, statement_timeout_ms: 60_000, log: pino({ level: 'silent' }) });
  cleanUp('a pool', () => pool.close());
  const sql = async (text: string, values: unknown[] = []) => (await pool.pg.query(text, values)).rows;
  const other = { hold: (text: string) => holdTransaction(pool.pg, text) };
  // All is sealed with the second key by now.
  const settings = { dataDir: first.data_dir, operatorToken: 'unused', secretKey: keys.c, secretKeyOld: keys.b };
  const { secret_key, old_secret_keys } = await loadLocalSecrets(settings);
  const box = createSecretBox(secret_key, old_secret_keys);
  for (const place of sealedPlaces.rows) {
    const table = place.what === 'workflows' ? 'workflow_versions' : place.what;
    for (const [column, [changed, back]] of Object.entries(changes[place.what]!)) {
      const values = (value: string) => sql(`select (${value})::text as value from ${table} order by 1`);
      const set = (value: string) => `update ${table} set ${column} = ${value}${beside[column] ?? ''}`;
      const expected = await values(changed);
      const [row] = await place.list(pool, box, { ...sealedWithOldKeys(box), after: undefined });
      const resealing = await whileHeld(other, set(changed), async ({ commit }) => {
        assert.ok(row, `${table} has nothing sealed`);
        const work = row.reseal(pool);
        await untilWaiting({ sql }, 1);
        await commit();
        return { work };
      });
      await resealing.work;
      assert.deepEqual(await values(column), expected, `${table}.${column}`);
      await sql(set(back));
    }
  }
});
