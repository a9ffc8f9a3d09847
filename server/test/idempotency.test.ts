import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { type Api, createApi, type Reply } from '@majlis/testing/api';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { rawRequest } from '@majlis/testing/raw-request';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { withRenamedTable } from '@majlis/testing/with-renamed-table';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const send = { to: '+96891234567', ...templateMessage };
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

const post = (api: Api, key: string, body: unknown = send, path = '/messages') =>
  api.post(path, body, { 'idempotency-key': key });

async function countMessages({ id }: TestWorkspace): Promise<number> {
  const text = `select count(*) from messages where workspace_id = $1 and direction = 'outbound'`;
  return (await majlis.sql<{ count: number }>(text, [parseId('workspace', id)]))[0]!.count;
}

/** The one answer that all these calls got. */
function assertSame(replies: Reply[], status = 201): string {
  const [first] = replies;
  for (const reply of replies) assert.deepEqual([reply.status, reply.text], [status, first!.text]);
  return first!.text;
}

describe('a key that is sent again with the same body', () => {
  it('gets the original answer, and acts once', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const key = randomUUID();
    const first = await post(api, key);
    assert.deepEqual([first.status, first.body.status], [201, 'queued']);
    await eventually(
      () => api.get(`/messages/${first.body.id}`),
      ({ body }) => body.status === 'read',
    );
    assertSame([first, await post(api, key), await post(api, key)]);
    assert.equal(await countMessages(workspace), 1);
    const ledger = majlis.simulator.ledger().filter((sent) => sent.phone_number_id === workspace.phone_number_id);
    assert.equal(ledger.length, 1);
  });

  it('gets it from every process, and after the first has ended', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.another()];
    const key = randomUUID();
    const first = await post(createApi(other.url, workspace.key), key);
    await other.stop();
    assertSame([first, await post(workspace.api, key)]);
  });

  it('acts once for 20 calls at once, which all get one answer, on both sends', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const first = JSON.parse(assertSame(await Promise.all(times(20, () => post(api, 'a')))));
    const path = `/conversations/${first.conversation_id}/messages`;
    assertSame(await Promise.all(times(20, () => post(api, 'a', templateMessage, path))));
    assert.equal(await countMessages(workspace), 2);
  });

  it('acts once for 20 calls at once to two processes', async () => {
    const other = await majlis.another();
    for (let round = 0; round < 10; round++) {
      const workspace = await majlis.workspace();
      const apis = [workspace.api, createApi(other.url, workspace.key)];
      assertSame(await Promise.all(times(20, (i) => post(apis[i % 2]!, 'a'))));
      assert.equal(await countMessages(workspace), 1);
    }
    await other.stop();
  });

  it('acts once when many keys race', async () => {
    const workspace = await majlis.workspace();
    const keys = times(30, () => randomUUID());
    const bodyOf = (i: number) => ({ ...send, to: `+9689123456${i % 10}` });
    const replies = await Promise.all(times(120, (i) => post(workspace.api, keys[i % 30]!, bodyOf(i % 30))));
    keys.forEach((_, k) => void assertSame(replies.filter((_, i) => i % 30 === k)));
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 30);
    assert.equal(await countMessages(workspace), 30);
  });

  it('gets the answer that a call would have got whose caller was gone too early', async () => {
    const workspace = await majlis.workspace();
    const key = randomUUID();
    const body = JSON.stringify(send);
    const { hostname, port } = new URL(majlis.url);
    const socket = connect(Number(port), hostname);
    const head = ['POST /v1/messages HTTP/1.1', 'Host: majlis', `Authorization: Bearer ${workspace.key}`];
    head.push(`Idempotency-Key: ${key}`, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body);
    cleanUp('the call', () => socket.destroy());
    await whileHeld(majlis, 'lock table messages in share mode', async () => {
      socket.write(head.join('\r\n'));
      await untilWaiting(majlis, 1, 'into messages');
      socket.destroy();
    });
    await eventually(
      () => countMessages(workspace),
      (count) => count === 1,
    );
    const reply = await post(workspace.api, key);
    assert.deepEqual([reply.status, reply.body.status], [201, 'queued']);
    assert.equal(await countMessages(workspace), 1);
  });

  it('is the same body as an equal JSON value, however it is written', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const { to, kind, template: named } = send;
    const spellings = [
      JSON.stringify(send),
      JSON.stringify(send, null, 4),
      `\r\n\t ${JSON.stringify({ template: { params: named.params, language: 'en', name: named.name }, kind, to })} `,
      JSON.stringify(send).replace('Muna', '\\u004dun\\u0061').replace('+968', '\\u002b968'),
      `\ufeff${JSON.stringify(send)}`,
    ];
    const replies = [];
    for (const spelling of spellings) replies.push(await post(api, 'a', spelling));
    assertSame(replies);
    const at = (latitude: string) =>
      `{"to":"${to}","kind":"location","location":{"latitude":${latitude},"longitude":0}}`;
    await openWindow(workspace, replies[0]!);
    assertSame(
      await Promise.all(['23.5', '23.50', '2.35e1', '235E-1'].map((spelling) => post(api, 'b', at(spelling)))),
    );
    assert.equal((await post(api, 'b', at('23.51'))).status, 409);
  });

  it('is sent in quotes or without: both name one key', async () => {
    const { api } = await majlis.workspace();
    assertSame([await post(api, 'a"\\b'), await post(api, '"a\\"\\\\b"'), await post(api, ' "a\\"\\\\b" ')]);
    const id = (await post(api, 'c')).body.id;
    for (const other of ['C', '"c ', 'c,c', 'c;a=1']) assert.notEqual((await post(api, other)).body.id, id);
  });
});

describe('a key that is sent again with a different body', () => {
  it('is refused: 409 idempotency_conflict', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const first = await post(api, 'a');
    const others = [
      { ...send, to: '+96891234568' },
      { ...send, to: '96891234567' },
      { ...send, note: 'one member more' },
      { ...send, template: { ...send.template, params: ['A-1042', 'Muna'] } },
    ];
    for (const body of others) {
      const { status, body: error } = await post(api, 'a', body);
      assert.deepEqual([status, error.code, error.status], [409, 'idempotency_conflict', 409]);
    }
    assertSame([first, await post(api, 'a')]);
    assert.equal(await countMessages(workspace), 1);
  });

  it('is refused when both are sent at once, to one process or two: one acts', async () => {
    const other = await majlis.another();
    for (let round = 0; round < 20; round++) {
      const workspace = await majlis.workspace();
      const apis = [workspace.api, round % 2 ? workspace.api : createApi(other.url, workspace.key)];
      const bodies = [send, { ...send, to: '+96891234568' }];
      const replies = await Promise.all(times(2, (i) => post(apis[i]!, 'a', bodies[i])));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
      assert.equal(await countMessages(workspace), 1);
    }
    await other.stop();
  });
});

describe('a write that is refused', () => {
  it('leaves its key unused, so that it may succeed when the world has changed', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const refused = async (reply: Promise<Reply>, code: string) => assert.equal((await reply).body.code, code);
    const text = { to: send.to, kind: 'text', body: 'Hello' };
    await refused(post(api, 'a', {}), 'unprocessable_content');
    await refused(post(api, 'a', '{'), 'unprocessable_content');
    await refused(post(api, 'a', { ...send, template: { name: 'x', language: 'en' } }), 'template_not_found');
    await refused(post(api, 'a', { to: send.to, kind: 'image', media_id: 'med_x' }), 'media_not_found');
    await refused(post(createApi(majlis.url, 'x'), 'a'), 'unauthorized');
    await refused(post(api, 'a', text), 'window_closed');
    const first = await post(api, 'b');
    await majlis.sql('update contacts set blocked = true where workspace_id = $1', [
      parseId('workspace', workspace.id),
    ]);
    await refused(post(api, 'a'), 'contact_blocked');
    await majlis.sql('update contacts set blocked = false where workspace_id = $1', [
      parseId('workspace', workspace.id),
    ]);
    await openWindow(workspace, first);
    const sent = await post(api, 'a', text);
    assert.equal(sent.status, 201, sent.text);
    assertSame([sent, await post(api, 'a', text)]);
    await refused(post(api, 'a'), 'idempotency_conflict');
  });

  it('leaves it unused where the service itself failed', async () => {
    const workspace = await majlis.workspace();
    const failed = await withRenamedTable(majlis, 'jobs', () => post(workspace.api, 'a'));
    assert.equal(failed.status, 500);
    assert.equal(await countMessages(workspace), 0);
    assert.equal((await post(workspace.api, 'a', { ...send, to: '+96891234568' })).status, 201);
  });

  it('does not touch the others that are under way with it', async () => {
    const workspace = await majlis.workspace();
    const bodyOf = (i: number) => (i % 3 === 0 ? { ...send, template: { name: `x${i}`, language: 'en' } } : send);
    const replies = await Promise.all(times(60, (i) => post(workspace.api, `key ${i}`, bodyOf(i))));
    replies.forEach(({ status, body }, i) => {
      assert.deepEqual([status, body.code], i % 3 === 0 ? [422, 'template_not_found'] : [201, undefined]);
    });
    assert.equal(await countMessages(workspace), 40);
  });
});

describe('a second call while the first is under way', () => {
  it('waits no longer than the database lets it: 503, and the same call later gets the answer', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.another()];
    const { first } = await whileHeld(majlis, 'lock table messages in share mode', async () => {
      const first = post(workspace.api, 'a');
      // For long: the short wait before it gives the key back in between.
      await untilWaiting(majlis, 1, 'into messages');
      let isAnswered = false;
      const second = post(createApi(other.url, workspace.key), 'a').finally(() => {
        isAnswered = true;
      });
      // A short wait for the lock may end before it is cancelled. The long wait that follows is cancelled then.
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`;
      await repeatUntil(
        () => isAnswered,
        () => majlis.sql(cancel),
      );
      const { status, body, headers } = await second;
      assert.deepEqual([status, body.code], [503, 'service_unavailable']);
      assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
      return { first };
    });
    assertSame([await first, await post(createApi(other.url, workspace.key), 'a')]);
    assert.equal(await countMessages(workspace), 1);
    await other.stop();
  });
});

describe('a key', () => {
  it('goes, with the answer that was kept for it, once it is forgotten', async () => {
    const workspace = await majlis.workspace();
    assert.equal((await post(workspace.api, 'a')).status, 201);
    const kept = () =>
      majlis.sql('select from idempotency_keys where workspace_id = $1', [parseId('workspace', workspace.id)]);
    await majlis.advance(22 * 3600);
    // The clock moves while a sweep is under way: the next one is due then, and comes at once.
    await whileHeld(majlis, 'lock table idempotency_keys in exclusive mode', async () => {
      await majlis.advance(3601);
      await untilWaiting(majlis, 1, 'idempotency_keys');
      await majlis.advance(2 * 3600);
      assert.equal((await kept()).length, 1);
    });
    await eventually(kept, (rows) => rows.length === 0);
  });

  it('is another one in another workspace, on another operation and in another conversation', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.workspace()];
    const { api } = workspace;
    const first = await post(api, 'a');
    const second = await post(api, 'b', { ...send, to: '+96891234568' });
    const paths = [first, second].map(({ body }) => `/conversations/${body.conversation_id}/messages`);
    const replies = [
      first,
      await post(other.api, 'a', { ...send, to: '+96891234569' }),
      await post(api, 'a', templateMessage, paths[0]),
      await post(api, 'a', { ...templateMessage, note: 'differs' }, paths[1]),
    ];
    for (const { status, text } of replies) assert.equal(status, 201, text);
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 4);
  });

  it('is the same one on the same path in another spelling, and over all keys of the workspace', async () => {
    const workspace = await majlis.workspace();
    const { name } = workspace.applied.workspace;
    const file = { workspace: { name }, api_keys: [{ name: 'second', scopes: ['messages:write'] }] };
    const { body } = await majlis.operator('PUT', '/workspaces', file);
    const first = await post(workspace.api, 'a');
    const second = createApi(majlis.url, body.api_keys[0].key);
    const spellings = ['/messages', '/messages?', '/messages?x=1', '/%6dess%61ges'];
    assertSame([first, ...(await Promise.all(spellings.map((path) => post(second, 'a', send, path))))]);
  });

  it('is remembered for 24 hours, and not longer', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const first = await post(api, 'a');
    await majlis.advance(86_400 - 60);
    assertSame([first, await post(api, 'a')]);
    assert.equal((await post(api, 'a', { ...send, to: '+96891234568' })).status, 409);
    await majlis.advance(60);
    const again = await Promise.all(times(20, () => post(api, 'a', { ...send, to: '+96891234568' })));
    assert.notEqual(JSON.parse(assertSame(again)).id, first.body.id);
    assert.equal(await countMessages(workspace), 2);
    assert.equal((await post(api, 'a')).status, 409);
    await majlis.advance(86_400 - 60);
    assertSame([again[0]!, await post(api, 'a', { ...send, to: '+96891234568' })]);
  });

  it('shows its answer to nobody who may not send', async () => {
    const workspace = await majlis.workspace();
    const { api, applied } = workspace;
    assert.equal((await post(api, 'a')).status, 201);
    const file = { workspace: { name: applied.workspace.name }, api_keys: [{ name: 'backend', scopes: [] }] };
    await majlis.operator('PUT', '/workspaces', file);
    assert.equal((await post(api, 'a')).body.code, 'insufficient_scope');
    await majlis.operator('DELETE', `/workspaces/${workspace.id}/api-keys/backend`);
    assert.equal((await post(api, 'a')).body.code, 'unauthorized');
  });

  it('that cannot be read is refused: 422, and nothing is done', async () => {
    const workspace = await majlis.workspace();
    const { api, key } = workspace;
    const unusable = ['', ' ', '""', '"', '"a', '"a"b', '"a\\b"', 'é', 'a\tb', 'x'.repeat(256), 'x'.repeat(10_000)];
    for (const value of unusable) {
      const { status, body } = await post(api, value);
      assert.deepEqual([status, body.code], [422, 'unprocessable_content'], value);
      assert.match(body.detail, /Idempotency-Key/);
    }
    const body = JSON.stringify(send);
    const headers = [
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    for (const repeated of [
      ['a', 'a'],
      ['a', 'b'],
      ['', 'a'],
    ]) {
      const lines = repeated.map((value) => `Idempotency-Key: ${value}`);
      const reply = await rawRequest(majlis.url, 'POST /v1/messages', [...headers, ...lines], body);
      assert.deepEqual([reply.status, JSON.parse(reply.text).code], [422, 'unprocessable_content']);
    }
    assert.equal(await countMessages(workspace), 0);
    assert.equal((await post(api, 'x'.repeat(255))).status, 201);
  });

  it('is ignored on DELETE, whatever it is: each one does what it says', async () => {
    const { api } = await majlis.workspace();
    assert.equal((await post(api, 'a')).status, 201);
    for (const key of ['a', 'b', 'b', '', '"', 'x'.repeat(10_000)]) {
      const { body } = await api.post('/webhook-endpoints', { url: 'https://a.example/', events: ['*'] });
      const remove = () =>
        api.request('DELETE', `/webhook-endpoints/${body.id}`, undefined, { 'idempotency-key': key });
      assert.deepEqual([(await remove()).status, (await remove()).status], [204, 404], key);
    }
  });

  it('is ignored on GET, whatever it is', async () => {
    const { api, channel_id } = await majlis.workspace();
    for (const path of ['/me', '/workspace', '/conversations', `/channels/${channel_id}`]) {
      for (const key of ['a', '', '"', 'x'.repeat(10_000)]) {
        assert.equal((await api.get(path, { 'idempotency-key': key })).status, 200, path);
      }
    }
  });
});

/** Lets the customer write, so that any kind may be sent to the conversation. */
async function openWindow(
  { phone_number_id, api }: TestWorkspace,
  { body: { conversation_id } }: Reply,
): Promise<void> {
  majlis.simulator.inject({ phone_number_id, from: '96891234567', type: 'text', content: 'Hello' });
  await eventually(
    () => api.get(`/conversations/${conversation_id}`),
    ({ body }) => body.window_expires_at !== undefined,
  );
}
