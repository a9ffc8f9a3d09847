import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@majlis/simulator';
import { type Api, createApi } from '@majlis/testing/api';
import { boundedConnection } from '@majlis/testing/bounded-connection';
import { cleanUp, cleanUpAtEnd } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { operatorToken, requestOperator } from '@majlis/testing/operator';
import { runProgram } from '@majlis/testing/run-program';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import { serverConnection } from '@majlis/testing/test-database';
import pg from 'pg';

const script = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
const channel = { type: 'chatapp', name: 'Support', display_phone: '+96880000001', verified_name: 'Acme' };
const platform = { waba_id: '100200', phone_number_id: '300400', access_token: 'platform-token' };
const secrets = { app_secret: 'platform-app-secret', verify_token: 'hub-verify-token' };
const words = { name: 'hello', language: 'en', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hello' }] };
const simulator = await startSimulator({ port: 0, numbers: [{ ...channel, ...platform }], templates: [words] });
const file = {
  workspace: { name: 'Acme', country: 'OM' },
  channels: [{ ...channel, ...platform, ...secrets }],
  templates: [{ name: 'hello', language: 'en', category: 'utility', components: [{ type: 'body', text: 'Hello' }] }],
  api_keys: [{ name: 'backend', environment: 'live', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
};

cleanUp('the simulator', () => simulator.close());

async function start(env: Record<string, string>): Promise<{ url: string; running: Process }> {
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    CHATAPP_API_URL: simulator.api_url,
    OPERATOR_TOKEN: operatorToken,
    // As many writes as a backup takes time for: on a busy machine that is more than the limit of a minute.
    RATE_LIMITS: 'off',
    ...env,
  };
  const running = startProcess('bin/majlis.js', ['serve'], { env: settings });
  const [, url] = await running.says(/^Majlis is ready at (http:\S+)$/m);
  return { url: url!, running };
}

async function stop(running: Process): Promise<void> {
  running.child.kill('SIGTERM');
  assert.equal((await running.ended()).code, 0, running.stderr());
}

/** A workspace with a file; the key, the id of the file, and its bytes. */
async function fill(url: string): Promise<{ key: string; media_id: string; bytes: Buffer }> {
  const { status, body } = await requestOperator(url, 'PUT', '/workspaces', file);
  assert.equal(status, 200, JSON.stringify(body));
  const { key } = body.api_keys[0];
  const bytes = randomBytes(100_000);
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${url}/v1/media`, { method: 'POST', body: form, headers });
  assert.equal(uploaded.status, 201);
  return { key, bytes, media_id: ((await uploaded.json()) as { id: string }).id };
}

const addContact = (api: Api) =>
  api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }] });

/** The restored service reads its rows, files and secrets. */
async function assertWhole(url: string, { key, media_id, bytes }: Awaited<ReturnType<typeof fill>>): Promise<Api> {
  const api = createApi(url, key);
  const media = await fetch(`${url}/v1/media/${media_id}`, { headers: { authorization: `Bearer ${key}` } });
  assert.ok(bytes.equals(Buffer.from(await media.arrayBuffer())));
  const template = { name: 'hello', language: 'en' };
  const sent = await api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
  assert.equal(sent.status, 201, sent.text);
  // The platform takes it only with the token that SECRET_KEY opens.
  await eventually(
    () => simulator.ledger(),
    (ledger) => ledger.some(({ biz_opaque_callback_data }) => biz_opaque_callback_data?.includes(sent.body.id)),
  );
  return api;
}

describe('a backup', () => {
  it('of a database server, made under writes, is restored whole', async () => {
    const [source, target] = [await createDatabase(), await createDatabase()];
    const [DATA_DIR, folder, restored] = [await makeFolder(), await makeFolder(), await makeFolder()];
    const { url, running } = await start({ DATA_DIR, DATABASE_URL: source });
    const filled = await fill(url);
    const api = createApi(url, filled.key);
    const known = (await addContact(api)).body.id;
    const program = runProgram(script('backup.sh'), [folder], { env: { DATA_DIR, DATABASE_URL: source } });
    let isDone = false;
    const finished = program.finally(() => {
      isDone = true;
    });
    let added = 0;
    while (!isDone || added < 20) {
      assert.equal((await addContact(api)).status, 201);
      added += 1;
    }
    const { code, output } = await finished;
    assert.equal(code, 0, output);
    await stop(running);

    const env = { DATA_DIR: restored, DATABASE_URL: target };
    const back = await runProgram(script('restore.sh'), [folder], { env });
    assert.equal(back.code, 0, back.output);
    const again = await start(env);
    const reader = await assertWhole(again.url, filled);
    assert.equal((await reader.get(`/contacts/${known}`)).status, 200);
    assert.equal((await addContact(reader)).status, 201);
    await stop(again.running);
  });

  it('of the embedded database is made of a stopped service, and refused beside a running one', async () => {
    const [DATA_DIR, folder, restored] = [await makeFolder(), await makeFolder(), await makeFolder()];
    const { url, running } = await start({ DATA_DIR });
    const filled = await fill(url);
    const refused = await runProgram(script('backup.sh'), [folder], { env: { DATA_DIR } });
    assert.equal(refused.code, 1);
    assert.match(refused.output, /stop the service first/);
    await stop(running);
    const made = await runProgram(script('backup.sh'), [folder], { env: { DATA_DIR } });
    assert.equal(made.code, 0, made.output);
    const occupied = await runProgram(script('restore.sh'), [folder], { env: { DATA_DIR } });
    assert.match(occupied.output, /is not empty/);

    const back = await runProgram(script('restore.sh'), [folder], { env: { DATA_DIR: path.join(restored, 'data') } });
    assert.equal(back.code, 0, back.output);
    const again = await start({ DATA_DIR: path.join(restored, 'data') });
    await assertWhole(again.url, filled);
    await stop(again.running);
  });
});

/** An empty database; its URL. */
async function createDatabase(): Promise<string> {
  const name = `majlis_backup_${randomBytes(4).toString('hex')}`;
  await administer(`create database ${name}`);
  cleanUpAtEnd('a database', () => administer(`drop database ${name} with (force)`));
  const { user, password, host, port } = serverConnection();
  return `postgres://${user}:${encodeURIComponent(String(password ?? ''))}@${host}:${port}/${name}`;
}

async function administer(statement: string): Promise<void> {
  const admin = new pg.Client(boundedConnection({ ...serverConnection(), database: 'postgres' }));
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
