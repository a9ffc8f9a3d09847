import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebhookDelivery, WebhookEndpoint } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText, statusEventsOf, untilStatus } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';
import { Value } from 'typebox/value';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

async function register({ api }: TestWorkspace, receiver: WebhookReceiver, events = ['*']) {
  const { status, body, text } = await api.post('/webhook-endpoints', { url: receiver.url, events });
  assert.equal(status, 201, text);
  return body;
}

describe('an endpoint', () => {
  it('is registered with a secret that is shown once and sealed in the database', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const url = 'https://hooks.acme.example/majlis';
    const { status, body } = await api.post('/webhook-endpoints', {
      url,
      events: ['message.received'],
      description: 'ours',
    });
    assert.equal(status, 201);
    assert.deepEqual([...Value.Errors(WebhookEndpoint, body)], []);
    assert.match(body.id, /^whe_/);
    assert.match(body.secret, /^whsec_[A-Za-z0-9_-]{32}$/);
    const { secret, ...shown } = body;
    assert.deepEqual(shown, {
      id: body.id,
      url,
      events: ['message.received'],
      enabled: true,
      created_at: body.created_at,
    });
    assert.deepEqual((await api.get('/webhook-endpoints')).body, { data: [shown] });
    const changed = await api.request('PATCH', `/webhook-endpoints/${body.id}`, {});
    assert.deepEqual(changed.body, shown);
    const rows = await majlis.sql(`select e::text, encode(secret, 'escape') from webhook_endpoints e`);
    assert.ok(!JSON.stringify(rows).includes(secret));
    assert.ok(!majlis.log.join('').includes(secret));
  });

  it('is changed in what is sent, and checked as at registration', async () => {
    const { api } = await majlis.workspace();
    const { id } = (await api.post('/webhook-endpoints', { url: 'https://a.example/', events: ['*'] })).body;
    const patch = (body: object) => api.request('PATCH', `/webhook-endpoints/${id}`, body);
    assert.deepEqual((await patch({ url: 'https://b.example/x' })).body.url, 'https://b.example/x');
    const { body } = await patch({ events: ['*'], enabled: false });
    assert.deepEqual([body.url, body.events, body.enabled], ['https://b.example/x', ['*'], false]);
    for (const url of ['ftp://a.example/', 'https://user@a.example/', 'nonsense', '']) {
      assertRefused(await patch({ url }));
      assertRefused(await api.post('/webhook-endpoints', { url, events: ['*'] }));
    }
    for (const [events, pointer] of [
      [[], '/events'],
      [['message.recieved'], '/events/0'],
      [['*', 'nothing'], '/events/1'],
    ] as const) {
      for (const answer of [await patch({ events }), await api.post('/webhook-endpoints', { url: body.url, events })]) {
        const [fault] = assertRefused(answer).errors!;
        assert.equal(fault!.pointer, pointer);
        assert.match(
          fault!.detail,
          /message\.received, message\.status_updated, template\.status_updated, conversation\.assigned/,
        );
      }
    }
    assert.equal((await api.get('/webhook-endpoints')).body.data[0].url, 'https://b.example/x');
  });

  it('is gone once it is deleted, with its secret', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const receiver = await startWebhookReceiver();
    const { id } = await register(workspace, receiver);
    assert.equal((await api.request('DELETE', `/webhook-endpoints/${id}`)).status, 204);
    for (const reply of [
      await api.request('DELETE', `/webhook-endpoints/${id}`),
      await api.request('PATCH', `/webhook-endpoints/${id}`, { enabled: true }),
      await api.post(`/webhook-endpoints/${id}/test`),
      await api.get(`/webhook-endpoints/${id}/deliveries`),
    ]) {
      assertRefused(reply, 404);
    }
    assert.deepEqual((await api.get('/webhook-endpoints')).body, { data: [] });
    await receiveText(majlis, workspace, newDigits());
    const [row] = await majlis.sql('select url, length(secret) as secret from webhook_endpoints where url = $1', ['']);
    assert.deepEqual(row, { url: '', secret: 0 });
    assert.equal(receiver.arrivals.length, 0);
  });

  it('gets the types that it subscribes to, and all with *', async () => {
    const workspace = await majlis.workspace();
    const [all, received, updated, reviewed] = await Promise.all([1, 2, 3, 4].map(startWebhookReceiver));
    await register(workspace, all!);
    await register(workspace, received!, ['message.received', 'message.received']);
    await register(workspace, updated!, ['message.status_updated']);
    await register(workspace, reviewed!, ['template.status_updated']);
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const id = await sendText(workspace, conversation_id);
    await untilStatus(majlis, id, 'read');
    const updates = (await statusEventsOf(majlis, id)).map(() => 'message.status_updated');
    const types = ({ arrivals }: WebhookReceiver) => arrivals.map(({ event }) => event.type).sort();
    const counts = [1 + updates.length, 1, updates.length];
    for (const [n, receiver] of [all!, received!, updated!].entries()) {
      await eventually(
        () => types(receiver),
        (found) => found.length >= counts[n]!,
      );
    }
    assert.deepEqual(types(all!), ['message.received', ...updates]);
    assert.deepEqual(types(received!), ['message.received']);
    assert.deepEqual(types(updated!), updates);
    assert.deepEqual(types(reviewed!), []);
    assert.ok(all!.arrivals.every(({ event }) => event.workspace_id === workspace.id));
  });
});

describe('the test call', () => {
  it('answers with the record of one signed attempt, which is listed', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const receiver = await startWebhookReceiver();
    receiver.answer(503);
    const { id } = await register(workspace, receiver, ['template.status_updated']);
    const reply = await api.post(`/webhook-endpoints/${id}/test`);
    assert.equal(reply.status, 200);
    assert.deepEqual([...Value.Errors(WebhookDelivery, reply.body)], []);
    const { attempt, response_status, delivered_at } = reply.body;
    assert.deepEqual([attempt, response_status, delivered_at], [1, 503, undefined]);
    const [arrival] = receiver.arrivals;
    assert.equal(arrival!.event.type, 'template.status_updated');
    assert.equal(arrival!.event.id, reply.body.event_id);
    assert.ok(arrival!.event.data.template.id);
    assert.deepEqual((await api.get(`/webhook-endpoints/${id}/deliveries`)).body, {
      data: [reply.body],
      has_more: false,
    });
    await majlis.advance(3_600);
    await receiveText(majlis, workspace, newDigits());
    assert.equal(receiver.arrivals.length, 1);
  });

  it('has no status where nobody answers', async () => {
    const { api } = await majlis.workspace();
    const { id } = (await api.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] })).body;
    const { status, body } = await api.post(`/webhook-endpoints/${id}/test`);
    assert.equal(status, 200);
    assert.equal(body.response_status, undefined);
    assert.ok(Number.isInteger(body.duration_ms));
  });

  it('is made to an endpoint that is disabled, too', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    const { id } = await register(workspace, receiver);
    await workspace.api.request('PATCH', `/webhook-endpoints/${id}`, { enabled: false });
    const { body } = await workspace.api.post(`/webhook-endpoints/${id}/test`);
    assert.equal(body.response_status, 200);
  });
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, page by page, for 30 days', async () => {
    const small = await majlis.another({ PAGE_SIZE_DEFAULT: '2', PAGE_SIZE_MAX: '2' });
    const workspace = await small.workspace();
    const receiver = await startWebhookReceiver();
    const { id } = await register(workspace, receiver);
    const path = `/webhook-endpoints/${id}/deliveries`;
    for (let n = 0; n < 5; n++) await workspace.api.post(`/webhook-endpoints/${id}/test`);
    const sent = receiver.arrivals.map(({ event }) => event.id).reverse();
    const seen: string[] = [];
    let cursor = '';
    for (const size of [2, 2, 1]) {
      const { body } = await workspace.api.get(`${path}?cursor=${cursor}`.replace(/\?cursor=$/, ''));
      assert.equal(body.data.length, size);
      assert.equal(body.has_more, size === 2);
      seen.push(...body.data.map(({ event_id }: { event_id: string }) => event_id));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, sent);
    assertRefused(await workspace.api.get(`${path}?cursor=x`));
    await small.advance(30 * 86_400 - 3_600);
    assert.equal((await workspace.api.get(path)).body.data.length, 2);
    await small.advance(3_700);
    assert.deepEqual((await workspace.api.get(path)).body, { data: [], has_more: false });
    await small.stop();
  });
});
