import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookRequest } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

async function openEndpoint() {
  const workspace = await majlis.workspace();
  const owner = await joinWorkspace(majlis, workspace);
  const receiver = await startWebhookReceiver();
  const made = await owner.at('POST', '/webhook-endpoints', {
    url: receiver.url,
    events: ['message.received'],
    description: 'Orders',
  });
  assert.equal(made.status, 201);
  const at = (method: string, path: string, body?: object) =>
    owner.at(method, `/webhook-endpoints/${made.body.id}${path}`, body);
  return { workspace, owner, receiver, at, secret: made.body.secret as string };
}

async function untilListed(at: Awaited<ReturnType<typeof openEndpoint>>['at'], count: number) {
  const { body } = await eventually(
    () => at('GET', '/attempts'),
    ({ body }) => body.data.length === count,
  );
  return body.data;
}

/** Whether one of the signatures of a request was made with this secret. */
function isSignedWith({ signature, body }: WebhookRequest, secret: string): boolean {
  const time = /^t=(\d+)/.exec(signature)![1];
  const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  return signature.includes(`v1=${digest}`);
}

describe('the deliveries of an endpoint, for people', () => {
  it('name the reason of a failure, and since when all fail', async () => {
    const { workspace, receiver, at } = await openEndpoint();
    const { version, ...state } = (await at('GET', '/state')).body;
    assert.match(version, /./);
    assert.deepEqual(state, { attempts: 0, waiting: 0, description: 'Orders' });
    receiver.answer(500);
    await receiveTexts(majlis, workspace, 1);
    const [refused] = await untilListed(at, 1);
    assert.equal(refused.response_status, 500);
    await receiver.close();
    await receiveTexts(majlis, workspace, 1);
    const [lost] = await untilListed(at, 2);
    assert.equal(lost.response_status, undefined);
    assert.match(lost.reason, /connection/);
    const { failing_since, disabled_after, attempts, waiting } = (await at('GET', '/state')).body;
    assert.deepEqual([attempts, waiting], [2, 2]);
    assert.equal(Date.parse(disabled_after) - Date.parse(failing_since), 3 * 86_400_000);
  });

  it('belong to an endpoint that nobody changes without having seen its latest values', async () => {
    const { owner, at } = await openEndpoint();
    const { version } = (await at('GET', '/state')).body;
    const changed = await at('PATCH', '/state', { version, events: ['template.status_updated'] });
    assert.deepEqual([changed.status, changed.body.events], [200, ['template.status_updated']]);
    const stale = await at('PATCH', '/state', { version, enabled: false });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    const [act] = (await owner.at('GET', '/audit')).body.data;
    assert.deepEqual([act.action, act.details.events], ['changeWebhookEndpoint', ['template.status_updated']]);
  });

  it('have the body of the event, byte for byte, and none of a test call', async () => {
    const { workspace, owner, receiver, at } = await openEndpoint();
    await receiveTexts(majlis, workspace, 1);
    const [{ event_id }] = await untilListed(at, 1);
    const { body } = await owner.at('GET', `/events/${event_id}`);
    assert.equal(body.body, receiver.arrivals[0]!.body.toString());
    const test = await at('POST', '/test');
    assert.equal((await owner.at('GET', `/events/${test.body.event_id}`)).status, 404);
  });

  it('are paged, and each attempt is on one page', async () => {
    const { workspace, at } = await openEndpoint();
    await receiveTexts(majlis, workspace, 120);
    const seen = new Set<string>();
    await eventually(
      async () => {
        seen.clear();
        let cursor: string | undefined;
        do {
          const { body } = await at('GET', `/attempts${cursor ? `?cursor=${cursor}` : ''}`);
          for (const { id } of body.data) seen.add(id);
          cursor = body.next_cursor;
        } while (cursor);
        return seen.size;
      },
      (count) => count === 120,
    );
    assert.equal((await at('GET', '/attempts?cursor=x')).status, 422);
  });

  it('are made again: one of them, those that were missed, or those of a period', async () => {
    const { workspace, receiver, at } = await openEndpoint();
    receiver.answer(500);
    await receiveTexts(majlis, workspace, 2);
    const [attempt] = await untilListed(at, 2);
    receiver.answer(200);
    assert.deepEqual((await at('POST', '/replays', { event_id: attempt.event_id })).body, { replayed: 1 });
    await untilListed(at, 3);
    // The retry before the replay is superseded and waits for nothing.
    assert.equal((await at('GET', '/state')).body.waiting, 1);
    assert.deepEqual((await at('POST', '/replays')).body, { replayed: 1 });
    await untilListed(at, 4);
    assert.deepEqual((await at('POST', '/replays')).body, { replayed: 0 });
    const { now } = (await majlis.operator('GET', '/clock')).body;
    const from = new Date(Date.parse(now) - 3_600_000).toISOString();
    assert.deepEqual((await at('POST', '/replays', { from, undelivered: false })).body, { replayed: 2 });
    assert.deepEqual((await at('POST', '/replays', { from: now, to: from })).body, { replayed: 0 });
  });

  it('are not made again for a disabled endpoint, or for an event that is not kept', async () => {
    const { at } = await openEndpoint();
    for (const event_id of ['evt_x', 'evt_00000000000000000000000000']) {
      const unknown = await at('POST', '/replays', { event_id });
      assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/event_id']);
    }
    await at('PATCH', '', { enabled: false });
    const refused = await at('POST', '/replays');
    assert.deepEqual([refused.status, refused.body.code], [409, 'endpoint_disabled']);
  });

  it('are signed with both secrets while a rotation lasts, and no secret is in the activity log', async () => {
    const { workspace, owner, receiver, at, secret } = await openEndpoint();
    const rotated = (await at('POST', '/rotate-secret', { overlap_seconds: 3_600 })).body;
    assert.match(rotated.secret, /^whsec_/);
    assert.equal((await at('GET', '/state')).body.old_secret_until, rotated.old_secret_until);
    await receiveTexts(majlis, workspace, 1);
    await untilListed(at, 1);
    const [during] = receiver.arrivals;
    assert.deepEqual(
      [secret, rotated.secret].map((one) => isSignedWith(during!, one)),
      [true, true],
    );
    const again = await at('POST', '/rotate-secret', { overlap_seconds: 3_600 });
    assert.equal(again.status, 422);
    await majlis.advance(3_601);
    assert.equal((await at('GET', '/state')).body.old_secret_until, undefined);
    await receiveTexts(majlis, workspace, 1);
    await untilListed(at, 2);
    const after = receiver.arrivals.at(-1)!;
    assert.deepEqual(
      [secret, rotated.secret].map((one) => isSignedWith(after, one)),
      [false, true],
    );
    const log = await owner.at('GET', '/audit?action=rotateWebhookSecret');
    assert.equal(log.body.data.length, 1);
    assert.ok(!JSON.stringify(log.body).includes('whsec_'));
  });
});
