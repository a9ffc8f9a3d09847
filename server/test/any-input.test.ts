import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { operations } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import fc from '@majlis/testing/fast-check';
import { type RawReply, rawRequest } from '@majlis/testing/raw-request';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

let workspace: TestWorkspace;
/** Of a conversation whose window is open. */
let conversation_id: string;

before(async () => {
  workspace = await majlis.workspace();
  const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] };
  const { body } = await workspace.api.post('/messages', { to: '+96891234567', kind: 'template', template });
  conversation_id = body.conversation_id;
  await majlis.sql(`update conversations set window_expires_at = now() + interval '1 day'`);
});

describe('a request', () => {
  it('of any make never fails the service, and is answered by the schemas of the contract', () =>
    assertNeverFails(anyRequest(), 300));

  it('that sends anything never fails the service, and is answered by the schemas of the contract', () =>
    assertNeverFails(anySendRequest(), 300));
});

async function assertNeverFails(requests: fc.Arbitrary<AnyRequest>, numRuns: number): Promise<void> {
  const logged = majlis.log.length;
  const property = fc.asyncProperty(requests, async ({ line, headers, body }) => {
    const always = [`Authorization: Bearer ${workspace.key}`, `Content-Length: ${Buffer.byteLength(body)}`];
    assertAnswered(await rawRequest(majlis.url, line, [...always, ...headers], body), line.startsWith('HEAD '));
  });
  await fc.assert(property, { numRuns });
  const failures = majlis.log.slice(logged).filter((line) => line.includes('"level":"error"'));
  assert.deepEqual(failures, []);
}

function assertAnswered({ status, headers, text }: RawReply, isHead: boolean): void {
  assert.match(headers['ratelimit-remaining'] ?? 'missing', /^\d+$/);
  assert.match(headers['content-type']!, /^application\/json/);
  if (isHead) assert.ok(status < 500);
  else if (status >= 400) assertRefused({ status, text }, Math.min(status, 499));
  else assert.ok([200, 201].includes(status) && typeof JSON.parse(text) === 'object', text);
}

interface AnyRequest {
  line: string;
  headers: readonly string[];
  body: string;
}

// Binary text holds NUL and halves of pairs, for which alone it is refused.
const unicode = fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme' }) }, fc.string({ unit: 'binary' }));
const idempotencyKey = fc
  .oneof({ weight: 4, arbitrary: fc.uuid() }, fc.stringMatching(/^[ -~\u00a0-\u00ff]{0,40}$/))
  .map((key) => `Idempotency-Key: ${key}`);

/** Requests that come close to good ones in places, and are wild in others. */
function anyRequest(): fc.Arbitrary<AnyRequest> {
  const bytes = fc.uint8Array({ maxLength: 4 });
  const segment = fc.oneof(
    fc.constantFrom('messages', 'conversations', 'me', 'workspace', 'channels', 'media', conversation_id, '..', '%00'),
    unicode.map(encodeURIComponent),
    bytes.map((values) => [...values].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
    fc.stringMatching(/^[!-~]{1,20}$/),
  );
  const known = Object.values(operations).map(({ path }) => path.replaceAll(/\{\w+\}/g, conversation_id));
  const path = fc.oneof(
    fc.constantFrom('/v1/conversations', `/v1/conversations/${conversation_id}/messages`),
    fc.constantFrom(...known),
    fc.array(segment, { maxLength: 5 }).map((segments) => `/v1/${segments.join('/')}`),
  );
  const members = ['limit', 'cursor', 'status', 'q', 'tag', 'stage_id', 'contact_id', 'assignee_id', '__proto__'];
  const value = fc.oneof(fc.integer().map(String), segment, unicode.map(encodeURIComponent));
  const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...members), segment), value), { maxLength: 4 });
  const types = ['text/plain', 'application/json; x', '', 'application/json'].map((type) => `Content-Type: ${type}`);
  const method = fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
  return fc.record({
    line: fc
      .tuple(method, path, query)
      .map(([verb, where, pairs]) => `${verb} ${where}?${pairs.map((pair) => pair.join('=')).join('&')}`),
    headers: fc.array(fc.oneof(idempotencyKey, fc.constantFrom(...types)), { maxLength: 2 }),
    body: fc.oneof(fc.constant(''), fc.json(), unicode),
  });
}

function anySendRequest(): fc.Arbitrary<AnyRequest> {
  const type = 'Content-Type: application/json';
  return fc.record({
    line: fc.constantFrom('POST /v1/messages', `POST /v1/conversations/${conversation_id}/messages`),
    headers: fc.oneof(
      fc.constant([type]),
      idempotencyKey.map((key) => [type, key]),
    ),
    body: anySend().map((body) => JSON.stringify(body)),
  });
}

function anySend() {
  const rarely = fc.jsonValue() as fc.Arbitrary<unknown>;
  const mostly = <Member>(arbitrary: fc.Arbitrary<Member>) =>
    fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: rarely });
  const to = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('+96891234567', '91234567', '0096891234567') },
    mostly(unicode),
  );
  const id = fc.oneof(fc.constantFrom(conversation_id, workspace.channel_id, ''), unicode);
  const coordinate = mostly(fc.double({ noNaN: true, noDefaultInfinity: true }));
  const name = mostly(fc.constantFrom('order_update', 'spring_sale'));
  const params = mostly(fc.array(unicode, { minLength: 1, maxLength: 3 }));
  const parts = {
    body: mostly(unicode),
    template: mostly(fc.record({ name, language: mostly(fc.constant('en')), params })),
    location: mostly(fc.record({ latitude: coordinate, longitude: coordinate, name: mostly(unicode) })),
    interactive: mostly(
      fc.record({ type: mostly(fc.constantFrom('buttons', 'list')), buttons: mostly(fc.array(fc.object())) }),
    ),
  };
  const kind = mostly(fc.constantFrom('text', 'image', 'template', 'location', 'interactive', 'reaction'));
  const odd = fc.record({ channel_id: id, contact_id: id, reply_to_id: id, media_id: id }, { requiredKeys: [] });
  const whole = fc.record({ kind, to, ...parts });
  return fc.oneof(
    { weight: 3, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, odd).map(([send, more]) => ({ ...send, ...more })) },
  );
}
