import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ErrorBody } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { withRenamedTable } from '@majlis/testing/with-renamed-table';
import { Value } from 'typebox/value';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

let workspace: TestWorkspace;
let conversation_id: string;

before(async () => {
  workspace = await majlis.workspace();
  conversation_id = await receiveText(majlis, workspace, newDigits());
});

describe('a request', () => {
  const authorization = () => `Authorization: Bearer ${workspace.key}`;

  it('that is no HTTP is refused with a code, and the service lives', async () => {
    const attempts: [string, string[]][] = [
      ['GET /v1/messages/\xe9', [authorization()]],
      ['GET /v1/me', [authorization(), `X-Filler: ${'x'.repeat(20_000)}`]],
      [`GET /v1/${'x'.repeat(20_000)}`, [authorization()]],
      ['MAJLIS /v1/me', [authorization()]],
      ['GET /v1/me', [authorization(), 'a colon is missing here']],
      ['POST /v1/messages', [authorization(), 'Content-Length: 2', 'Content-Length: 3']],
      ['POST /v1/messages', [authorization(), 'Content-Length: -1']],
    ];
    for (const [line, headers] of attempts) {
      const { status, text, headers: answered } = await rawRequest(majlis.url, line, headers);
      assert.ok(status >= 400 && status < 500, `${line} ${status}`);
      assert.ok(Value.Check(ErrorBody, JSON.parse(text)), text);
      assert.equal(answered['content-type'], 'application/json; charset=utf-8');
    }
    assert.equal((await workspace.api.get('/me')).status, 200);
  });

  it('to a wrong path is told so, and to an unknown id nothing but that it is not found', async () => {
    for (const path of ['/nowhere', '/message', '/contacts/ct_x/nowhere']) {
      const { detail } = assertRefused(await workspace.api.get(path), 404);
      assert.equal(detail, 'There is no such path.');
    }
    assert.equal(assertRefused(await workspace.api.get('/messages/msg_x'), 404).detail, undefined);
  });

  it('for an id that no text column can hold finds nothing: 404, with an idempotency key too', async () => {
    const body = { kind: 'text', body: 'Hello' };
    const reply = await workspace.api.post('/conversations/%00/messages', body, { 'idempotency-key': 'no-text' });
    assertRefused(reply, 404);
  });

  it('whose key cannot be looked up is refused with the headers of the limits', async () => {
    const { status, headers } = await withRenamedTable(majlis, 'api_keys', () => workspace.api.get('/me'));
    assert.deepEqual([status, headers.get('ratelimit-limit')], [500, '600']);
    assert.equal((await workspace.api.get('/me')).status, 200);
  });

  it('that finds no free connection to the database is refused: 503, and answered once there is one', async () => {
    const narrow = await majlis.another({ DATABASE_POOL_SIZE: '1', ROLES: 'api' }, { connection_timeout_ms: 500 });
    const api = createApi(narrow.url, workspace.key);
    // The one connection is open.
    await eventually(
      () => api.get('/me'),
      ({ status }) => status === 200,
    );
    const { waiting } = await whileHeld(majlis, 'lock table conversations', async () => {
      const waiting = api.get(`/conversations/${conversation_id}`);
      // No worker that waits for the same table asks for this.
      await untilWaiting(majlis, 1, 'as contact_handle');
      const { status, body, headers } = await api.get('/me');
      assert.deepEqual([status, body.code], [503, 'service_unavailable']);
      assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
      assert.match(headers.get('ratelimit-remaining')!, /^\d+$/);
      return { waiting };
    });
    await waiting;
    assert.equal((await api.get('/me')).status, 200);
    await narrow.stop();
  });
});
