import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { createApi, type Reply } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { openRequest } from '@majlis/testing/open-request';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';
import { generateApiKey } from '../src/http/api-key.ts';

const majlis = await startTestService();
const send = { to: '+96891234567', ...templateMessage };

const revoke = ({ id }: TestWorkspace, name = 'backend') =>
  majlis.operator('DELETE', `/workspaces/${id}/api-keys/${name}`);

/** Applies the workspace's file again, with these keys. */
const applyKeys = ({ applied }: TestWorkspace, api_keys: object[]) =>
  majlis.operator('PUT', '/workspaces', { workspace: { name: applied.workspace.name }, api_keys });

/** All that a stranger can tell replies apart by: no value of it may say what was wrong with the key. */
function lookOf({ status, headers, text }: Reply) {
  const varying = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
  return { status, text, headers: [...headers].map(([name, value]) => [name, varying.includes(name) ? '' : value]) };
}

describe('a key', () => {
  it('that is missing, malformed, unknown or revoked is refused in the same words: 401', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.workspace()];
    const { key } = workspace;
    await revoke(other);
    const unknown = generateApiKey('test').key;
    const credentials = [
      ...['', 'Bearer', 'Bearer ', key, `Basic ${key}`, `Token ${key}`, `Basic ${btoa(`${key}:`)}`, `Bearer ${key}x`],
      ...[`Bearer x${key}`, `Bearer ${key.slice(0, -1)}`, `Bearer ${key.slice(0, 12)}`, `Bearer ${key.toLowerCase()}`],
      ...[
        `Bearer ${key} ${key}`,
        `Bearer ${key},${key}`,
        `Bearer "${key}"`,
        `Bearer key=${key}`,
        `Bearer ${'x'.repeat(8000)}`,
      ],
      ...[
        `Bearer ${key.replace('test', 'live')}`,
        `Bearer ${unknown}`,
        `Bearer ${other.key}`,
        'Bearer operator-token-of-the-tests',
      ],
      ...[
        `Bearer ${workspace.id}`,
        `Bearer ${workspace.access_token}`,
        "Bearer ' or true --",
        'Bearer é',
        'Bearer %00',
      ],
    ];
    const nothing = lookOf(await createApi(majlis.url, '').get('/me'));
    assert.equal(nothing.status, 401);
    for (const path of ['/me', '/messages/msg_00000000000000000000000000', '/nowhere']) {
      for (const authorization of credentials) {
        assert.deepEqual(lookOf(await workspace.api.get(path, { authorization })), nothing, authorization);
      }
    }
    assert.deepEqual(lookOf(await createApi(majlis.url, '').get(`/me?access_token=${key}&api_key=${key}`)), nothing);
    const missing = await rawRequest(majlis.url, 'GET /v1/me');
    assert.deepEqual(
      [missing.status, missing.text, missing.headers['www-authenticate']],
      [401, nothing.text, 'Bearer'],
    );
  });

  it('opens its workspace with the scheme in any case', async () => {
    const { api, key, id } = await majlis.workspace();
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]) {
      const { status, body } = await api.get('/me', { authorization });
      assert.deepEqual([status, body.workspace_id], [200, id]);
    }
  });

  it('is refused by the very next request once it is revoked, in every process', async () => {
    const other = await majlis.another();
    for (let round = 0; round < 5; round++) {
      const workspace = await majlis.workspace();
      const apis = [workspace.api, createApi(other.url, workspace.key)];
      const ask = () => Promise.all([...apis, ...apis, ...apis].map(async (api) => (await api.get('/me')).status));
      assert.deepEqual(await ask(), [200, 200, 200, 200, 200, 200]);
      await revoke(workspace);
      assert.deepEqual(await ask(), [401, 401, 401, 401, 401, 401]);
    }
    await other.stop();
  });

  it('that is revoked while a body arrives changes nothing', async () => {
    const form = [
      ...['--x', 'Content-Disposition: form-data; name="file"; filename="a.txt"', 'Content-Type: text/plain'],
      ...['', 'Hello', '--x--', ''],
    ].join('\r\n');
    const identities = [{ channel_type: 'chatapp', identifier: send.to }];
    const writes = [
      { path: '/messages', type: 'application/json', text: JSON.stringify(send) },
      { path: '/contacts', type: 'application/json', text: JSON.stringify({ identities }) },
      { path: '/media', type: 'multipart/form-data; boundary=x', text: form },
    ];
    for (const { path, type, text } of writes) {
      const workspace = await majlis.workspace();
      const late = await openRequest(majlis.url, [
        `POST /v1${path} HTTP/1.1`,
        ...[`Authorization: Bearer ${workspace.key}`, 'Connection: close'],
        ...[`Content-Type: ${type}`, `Content-Length: ${text.length}`],
      ]);
      const wasUsed = () =>
        majlis.sql(`select id from api_keys where workspace_id = $1 and last_used_at is not null`, [
          parseId('workspace', workspace.id),
        ]);
      await eventually(wasUsed, (keys) => keys.length === 1);
      await majlis.advance(1);
      await revoke(workspace);
      late.socket.write(text);
      assert.match(await late.ended, /^HTTP\/1\.1 401 .*"unauthorized"/s, path);
    }
  });

  it('that is revoked, or loses a scope, while a body arrives gets no stored answer and writes nothing', async () => {
    const text = JSON.stringify(send);
    const lower = (workspace: TestWorkspace) => applyKeys(workspace, [{ name: 'backend', scopes: ['contacts:read'] }]);
    const cases = [
      { change: revoke, key: 'before', refusal: /^HTTP\/1\.1 401 .*"unauthorized"/s },
      { change: lower, key: 'before', refusal: /^HTTP\/1\.1 403 .*"insufficient_scope"/s },
      { change: lower, key: 'after', refusal: /^HTTP\/1\.1 403 .*"insufficient_scope"/s },
    ];
    for (const { change, key, refusal } of cases) {
      const workspace = await majlis.workspace();
      assert.equal((await workspace.api.post('/messages', send, { 'idempotency-key': 'before' })).status, 201);
      const wasUsedAt = async () => {
        const [row] = await majlis.sql<{ at: string | null }>(
          `select max(last_used_at)::text as at from api_keys where workspace_id = $1`,
          [parseId('workspace', workspace.id)],
        );
        return row!.at;
      };
      const before = await eventually(wasUsedAt, (at) => at !== null);
      await majlis.advance(3600);
      const late = await openRequest(majlis.url, [
        'POST /v1/messages HTTP/1.1',
        ...[`Authorization: Bearer ${workspace.key}`, 'Connection: close', `Idempotency-Key: ${key}`],
        ...['Content-Type: application/json', `Content-Length: ${text.length}`],
      ]);
      await eventually(wasUsedAt, (at) => at !== before);
      await majlis.advance(1);
      await change(workspace);
      late.socket.write(text);
      assert.match(await late.ended, refusal);
      const rows = await majlis.sql('select id from messages where workspace_id = $1', [
        parseId('workspace', workspace.id),
      ]);
      assert.equal(rows.length, 1);
    }
  });

  it('has the scopes that its operator gave it last, in every process', async () => {
    const workspace = await majlis.workspace();
    const other = await majlis.another();
    const apis = [workspace.api, createApi(other.url, workspace.key)];
    const ask = () => Promise.all(apis.map(async (api) => (await api.post('/messages', send)).status));
    assert.deepEqual(await ask(), [201, 201]);
    await applyKeys(workspace, [{ name: 'backend', scopes: ['contacts:read'] }]);
    assert.deepEqual(await ask(), [403, 403]);
    assert.deepEqual((await workspace.api.get('/me')).body.scopes, ['contacts:read']);
    await other.stop();
  });

  it('says what it is by its leading characters, and is stored as a hash alone', async () => {
    const { api, key } = await majlis.workspace();
    const { key_prefix } = (await api.get('/me')).body;
    assert.ok(key.startsWith(key_prefix) && key_prefix.length < key.length / 2);
    const [row] = await majlis.sql<{ text: string }>(
      `select to_jsonb(k)::text as text from api_keys k where key_hash = $1`,
      [createHash('sha256').update(key).digest()],
    );
    assert.ok(row && !row.text.includes(key));
  });

  it('leaves no trace in the log', async () => {
    const workspace = await majlis.workspace();
    await workspace.api.post('/messages', send);
    await workspace.api.post('/messages', '{', { 'idempotency-key': 'canary' });
    await createApi(majlis.url, `${workspace.key}x`).get('/me');
    await revoke(workspace);
    await workspace.api.get('/me');
    assert.ok(majlis.log.some((line) => line.includes('"status":401')));
    const secrets = [workspace.key.slice(12), workspace.access_token, workspace.app_secret, '96891234567', 'A-1042'];
    for (const secret of secrets)
      assert.equal(
        majlis.log.find((line) => line.includes(secret)),
        undefined,
      );
  });
});

describe('the scope messages:write', () => {
  it('is needed by both sends: 403 insufficient_scope, and nothing is done', async () => {
    const workspace = await majlis.workspace();
    const { body: message } = await workspace.api.post('/messages', send);
    const applied = await applyKeys(workspace, [
      { name: 'reader', scopes: ['contacts:read', 'contacts:write', 'messages:writes'] },
    ]);
    const reader = createApi(majlis.url, applied.body.api_keys[0].key);
    for (const path of ['/messages', `/conversations/${message.conversation_id}/messages`]) {
      for (const body of [send, {}, '{']) {
        const reply = await reader.post(path, body, { 'idempotency-key': 'k' });
        assert.deepEqual([reply.status, reply.body.code, reply.body.status], [403, 'insufficient_scope', 403]);
        assert.equal(
          reply.headers.get('www-authenticate'),
          'Bearer error="insufficient_scope", scope="messages:write"',
        );
      }
    }
    const count = `select count(*) from messages where workspace_id = $1`;
    assert.deepEqual(await majlis.sql(count, [parseId('workspace', workspace.id)]), [{ count: 1 }]);
  });

  it('is asked for by nothing else', async () => {
    const { api, channel_id } = await majlis.workspace({ api_keys: [{ name: 'without scopes' }] });
    for (const path of ['/me', '/workspace', '/channels', `/channels/${channel_id}`, '/conversations']) {
      assert.equal((await api.get(path)).status, 200, path);
    }
    for (const path of ['/messages/msg_x', '/conversations/cv_x', '/conversations/cv_x/messages', '/nowhere']) {
      assert.equal((await api.get(path)).status, 404, path);
    }
    assert.equal((await api.request('DELETE', '/messages')).status, 405);
  });

  it('is not asked for where ENFORCE_SCOPES is off', async () => {
    const lax = await majlis.another({ ENFORCE_SCOPES: 'off' });
    const { key } = await majlis.workspace({ api_keys: [{ name: 'without scopes' }] });
    assert.equal((await createApi(majlis.url, key).post('/messages', send)).status, 403);
    assert.equal((await createApi(lax.url, key).post('/messages', send)).status, 201);
    await lax.stop();
  });
});

describe('a flood of bad keys', () => {
  it('is refused without end, and takes nothing from the workspace whose key it resembles', async () => {
    const { api, key } = await majlis.workspace();
    const remaining = async () => Number((await api.get('/me')).headers.get('ratelimit-remaining'));
    const before = await remaining();
    const stranger = createApi(majlis.url, `${key.slice(0, -1)}_`);
    const replies = await Promise.all(Array.from({ length: 700 }, () => stranger.get('/me')));
    assert.ok(replies.every(({ status }) => status === 401));
    assert.equal(await remaining(), before - 1);
  });
});
