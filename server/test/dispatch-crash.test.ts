import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { boundedConnection } from '@majlis/testing/bounded-connection';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { endPool } from '@majlis/testing/hold-transaction';
import { newDigits, readStoredMessage, sendText, untilDispatched, untilMessage } from '@majlis/testing/messages';
import { platformStatus, postNotification, receiveText } from '@majlis/testing/notifications';
import { operatorToken } from '@majlis/testing/operator';
import { acceptSend, type SendCall, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import type { RunningService } from '@majlis/testing/start-test-service';
import { createTestDatabase, type TestDatabase } from '@majlis/testing/test-database';
import pg from 'pg';

const platform = await startScriptedPlatform();
const origin = { waba_id: '330001', phone_number_id: '440001', app_secret: 'app-secret' };
let database: TestDatabase;
let pool: pg.Pool;
let env: Record<string, string>;
let first: Process;
let service: RunningService;
let key: string;

/** Starts a process of the service on the one database; from then on it is the one that is spoken to. */
async function serve(): Promise<Process> {
  const started = startProcess('bin/majlis.js', ['serve'], { env });
  const [, url = ''] = await started.says(/^Majlis is ready at (http:\S+)$/m);
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  service = {
    url,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async operator(method, path, body) {
      const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/operator${path}`, options);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
  };
  return started;
}

before(async () => {
  database = await createTestDatabase();
  cleanUp('the database', () => database.drop());
  pool = new pg.Pool({ ...boundedConnection(database.connection), max: 2 });
  cleanUp('the pool', () => endPool(pool));
  const { host, port, user, password, database: name } = database.connection;
  const address = `${encodeURIComponent(user!)}:${encodeURIComponent(String(password ?? ''))}@localhost:${port}/${name}`;
  env = {
    PORT: '0',
    DATA_DIR: await makeFolder(),
    DATABASE_URL: `postgres://${address}?host=${encodeURIComponent(host!)}`,
    CHATAPP_API_URL: platform.api_url,
    OPERATOR_TOKEN: operatorToken,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  };
  first = await serve();
  const { body } = await service.operator('PUT', '/workspaces', {
    workspace: { name: 'Acme', country: 'OM' },
    channels: [{ type: 'chatapp', name: 'Support', access_token: 'token', verify_token: 'verify', ...origin }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write'] }],
  });
  key = body.api_keys[0].key;
});

const callsFor = (id: string) => platform.calls.filter((call) => call.callback_data === id);
const send = (conversation: string) => sendText({ api: createApi(service.url, key) }, conversation);

describe('a worker that dies after the platform took messages and before it knew', () => {
  it('loses none and doubles none: the next one waits for the platform’s word on those in doubt', async () => {
    const conversations: string[] = [];
    for (let n = 0; n < 40; n++) conversations.push(await receiveText(service, origin, newDigits()));
    const killed = Promise.withResolvers<void>();
    let calls = 0;
    platform.script((call) => {
      if (++calls < 30) return void setTimeout(acceptSend, 20, call);
      first.child.kill('SIGKILL');
      killed.resolve();
    });
    const sent = await Promise.allSettled(
      conversations.flatMap((conversation) => [send(conversation), send(conversation)]),
    );
    const ids = sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    await within(killed.promise, 60_000, `30 calls before the kill, not ${calls}: ${failures[0]}`);
    await first.ended();

    platform.script(acceptSend);
    first = await serve();
    await untilDispatched(service);
    const doubtful: string[] = [];
    for (const id of ids) {
      const { outcome_unknown, platform_message_id, status } = await readStoredMessage(service, id);
      assert.equal(status, 'queued');
      assert.equal(outcome_unknown, platform_message_id === null);
      // The kill may come between the point of no return and the call: such a message is in doubt too.
      assert.ok(callsFor(id).length === 1 || (outcome_unknown && callsFor(id).length === 0));
      if (outcome_unknown) doubtful.push(id);
    }
    assert.ok(doubtful.length > 0, 'nothing was under way at the kill');
    assert.ok(doubtful.length < ids.length, 'nothing was done before the kill or after it');
    const statuses = doubtful.map((id) => platformStatus(`wamid.${id}`, 'sent', { biz_opaque_callback_data: id }));
    await postNotification(service, origin, { statuses });
    for (const id of doubtful) await untilMessage(service, id, (message) => message.status === 'sent');
  });
});

describe('a worker that stands still for longer than its lease', () => {
  it('is followed by another, which does not call again; what the first one brings is recorded all the same', async () => {
    const conversation = await receiveText(service, origin, newDigits());
    let open: SendCall | undefined;
    platform.script((call) => {
      open = call;
    });
    const id = await send(conversation);
    await eventually(
      () => open,
      (call) => call !== undefined,
    );
    first.child.kill('SIGSTOP');
    await pool.query(`update jobs set leased_until = now() where kind = 'messages.deliver_message'`);
    const second = await serve();
    await untilMessage(service, id, (message) => message.outcome_unknown);
    acceptSend(open!, 'wamid.of-the-first');
    first.child.kill('SIGCONT');
    const { outcome_unknown } = await untilMessage(service, id, (message) => message.platform_message_id !== null);
    assert.equal(outcome_unknown, false);
    assert.equal(callsFor(id).length, 1);
    second.child.kill('SIGTERM');
    assert.deepEqual(await second.ended(), { code: 0, signal: null });
  });
});
