import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { openRequest } from '@majlis/testing/open-request';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const [noisy, other] = [await majlis.workspace(), await majlis.workspace()];
const limit = 4_194_304;

const broadcast = (recipients: string) =>
  `{"name":"Everybody","template":{"name":"order_update","language":"en"},"audience":{"recipients":[${recipients}]}}`;

/** A list of equal values that fills the bytes. */
const repeated = (value: string, bytes: number) =>
  `${value},`.repeat(Math.floor(bytes / (value.length + 1))).slice(0, -1);

/** A member without a meaning, in texts of a usual length. */
const fillerOf = (bytes: number) => Array.from({ length: bytes / 10_000 }, () => 'x'.repeat(10_000));

describe('a body of many small values', () => {
  const shapes: [string, string][] = [
    ['empty objects', broadcast(repeated('{}', limit - 200))],
    ['numbers', broadcast(repeated('1', limit - 200))],
    ['empty lists', broadcast(repeated('[]', limit - 200))],
    ['params', broadcast(`{"to":"1","params":[${repeated('1', limit - 200)}]}`)],
    ['members', `{${Array.from({ length: 300_000 }, (_, n) => `"${n}":1`).join(',')}}`],
  ];
  for (const [name, body] of shapes) {
    it(`is refused before it is built, with the bound: ${name}`, async () => {
      const { errors } = assertRefused(await noisy.api.post('/broadcasts', body));
      assert.deepEqual(errors, [{ detail: 'The body has more than 209716 values.', pointer: '' }]);
    });
  }

  it('has less room where no operation takes lists of people', async () => {
    // In lists of 1,000, because a longer list is refused for its length.
    const body = (count: number) =>
      `{"identities":[{"channel_type":"chatapp","identifier":"+96891234567"}],"filler":[${repeated(`[${repeated('1', 2_000)}]`, 2_002 * (count / 1_000))}]}`;
    const { errors } = assertRefused(await noisy.api.post('/contacts', body(60_000)));
    assert.deepEqual(errors, [{ detail: 'The body has more than 52429 values.', pointer: '' }]);
    assert.equal((await noisy.api.post('/contacts', body(40_000))).status, 201);
  });
});

describe('a large body', () => {
  it('that does not fit its schema is refused with the first faults alone', async () => {
    for (const value of ['{}', '1', '{"to":5}']) {
      const answer = await noisy.api.post('/broadcasts', broadcast(repeated(value, 100_000)));
      const { errors } = assertRefused(answer);
      assert.ok(errors!.length > 0 && errors!.length <= 10, String(errors!.length));
      assert.match(errors![0]!.pointer, /^\/audience\/recipients/);
    }
  });

  it('is refused for the same faults as a small one, with the same answer', async () => {
    const filler = `"filler":${JSON.stringify(fillerOf(100_000))}`;
    for (const [members, pointer] of [
      ['"kind":"fax"', '/kind'],
      ['"kind":"text","body":7', '/body'],
      ['"kind":"text","body":"\\ud83d"', '/body'],
      ['"kind":"text","kind":"text"', '/kind'],
      ['"kind":"text",', ''],
    ]) {
      const [small, large] = [`{${members}}`, `{${filler},${members}}`];
      const [first, second] = [await noisy.api.post('/messages', small), await noisy.api.post('/messages', large)];
      assert.equal(assertRefused(second).errors?.[0]?.pointer, pointer);
      assert.deepEqual(second.body.errors, pointer === '' ? second.body.errors : first.body.errors);
    }
    const notAnObject = `[${repeated('1', 20_000)}]`;
    assertRefused(await noisy.api.post('/messages', notAnObject));
  });

  it('has the meaning of its JSON value to an idempotency key', async () => {
    const contact = { identities: [{ channel_type: 'chatapp', identifier: '+96891234568' }], name: 'Muna' };
    const long = { ...contact, filler: fillerOf(50_000) };
    const post = (body: unknown) => noisy.api.post('/contacts', body, { 'idempotency-key': 'long' });
    const { filler, ...rest } = long;
    const [first, again] = [await post(long), await post({ filler, ...rest })];
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
    assert.equal((await post({ ...long, name: 'Salim' })).body.code, 'idempotency_conflict');
  });

  it('of one workspace holds up none of another: theirs are answered while it is checked', async () => {
    const slowest = broadcast(repeated('{"to":"1"}', 110_000));
    let answered = 0;
    const refused = Array.from({ length: 8 }, async () => {
      assertRefused(await noisy.api.post('/broadcasts', slowest));
      answered += 1;
    });
    assert.equal((await other.api.get('/me')).status, 200);
    assert.ok(answered < 8, String(answered));
    await Promise.all(refused);
  });
});

describe('bodies in flight', () => {
  it('beyond the share of a workspace get 503 before they are read, and other workspaces have room', async () => {
    const small = await majlis.another({ BODIES_IN_FLIGHT_BYTES: '400000' });
    const headers = [`Authorization: Bearer ${noisy.key}`, 'Content-Type: application/json', 'Content-Length: 90000'];
    const { socket } = await openRequest(small.url, ['POST /v1/messages HTTP/1.1', ...headers]);
    const message = { to: '+96891234567', ...templateMessage, filler: fillerOf(90_000) };
    const send = (key: string) => createApi(small.url, key).post('/messages', message);
    // The open request counts once the service knows its workspace.
    await eventually(
      () => send(noisy.key),
      ({ status }) => status === 503,
    );
    const refused = await rawRequest(small.url, 'POST /v1/messages', headers);
    assert.equal(assertRefused(refused, 503).code, 'service_unavailable');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal((await send(other.key)).status, 201);
    socket.destroy();
    await small.stop();
  });
});
