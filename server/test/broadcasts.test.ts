import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { createBroadcastClient, marketingTemplate, utilityTemplate } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { post, create, read, cancel, untilCounts, untilIdle, sentTo, contact, now } = createBroadcastClient(majlis);
const { outcomes, pauseDispatch, untilHandedOver } = createBroadcastClient(majlis);
const day = 24 * 3600;

describe('a broadcast to recipients', () => {
  it('reaches each number once, with the params it is first named with', async () => {
    const workspace = await majlis.workspace();
    const [first, second] = [newDigits(), newDigits()];
    const created = await create(workspace, {
      recipients: [
        { to: `+${first}`, params: ['Muna', '1'] },
        { to: second, params: ['Ravi', '2'] },
        { to: `00${first}`, params: ['Somebody else', '3'] },
        { to: second.slice(3), params: ['Somebody else', '4'] },
      ],
    });
    assert.equal(created.counts.total, 2);
    const { audience } = await untilCounts(workspace, created.id, { total: 2, queued: 0, read: 2, failed: 0 });
    assert.deepEqual(audience.recipients, [
      { to: `+${first}`, params: ['Muna', '1'] },
      { to: `+${second}`, params: ['Ravi', '2'] },
    ]);
    assert.deepEqual(sentTo(workspace).sort(), [first, second].sort());
    const messages = await majlis.sql(
      'select body, actor_kind, actor_id from messages where broadcast_id = $1 order by id',
      [parseId('broadcast', created.id)],
    );
    const actor = { actor_kind: 'broadcast', actor_id: parseId('broadcast', created.id) };
    assert.deepEqual(messages, [
      { body: 'Hello Muna, your order 1 has left.', ...actor },
      { body: 'Hello Ravi, your order 2 has left.', ...actor },
    ]);
  });

  it('reaches a contact with two of its numbers once', async () => {
    const workspace = await majlis.workspace();
    const [first, second, other] = [newDigits(), newDigits(), newDigits()];
    const identities = [first, second].map((digits) => ({ channel_type: 'chatapp', identifier: `+${digits}` }));
    assert.equal((await workspace.api.post('/contacts', { identities })).status, 201);
    const recipients = [first, second, other].map((digits) => ({ to: `+${digits}`, params: ['Muna', 'A-1'] }));
    const { id } = await create(workspace, { recipients });
    await untilCounts(workspace, id, { total: 3, sent: 2, failed: 1 });
    assert.deepEqual(sentTo(workspace), [first, other]);
  });

  it('says of whom the gate refuses why, and counts them as failed', async () => {
    const workspace = await majlis.workspace();
    const [willing, unwilling, blocked] = [newDigits(), newDigits(), newDigits()];
    for (const [digits, consents, isBlocked] of [
      [willing, { chatapp_marketing: true }, false],
      [unwilling, {}, false],
      [blocked, { chatapp_marketing: true }, true],
    ] as const) {
      const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
      const { body } = await workspace.api.post('/contacts', { identities, consents });
      if (isBlocked) await workspace.api.request('PATCH', `/contacts/${body.id}`, { blocked: true });
    }
    const recipients = [willing, unwilling, blocked].map((to) => ({ to }));
    const { id } = await create(workspace, { recipients }, { template: marketingTemplate });
    await untilCounts(workspace, id, { total: 3, queued: 0, sent: 1, failed: 2 });
    assert.deepEqual(
      (await outcomes(workspace, id)).map(({ to, error }: AnyJson) => [to, error?.split(':')[0]]),
      [
        [`+${willing}`, undefined],
        [`+${unwilling}`, 'unprocessable_content'],
        [`+${blocked}`, 'contact_blocked'],
      ],
    );
  });

  it('respects an opt-in that is withdrawn while its message waits for dispatch', async () => {
    const workspace = await majlis.workspace();
    const [stays, leaves] = [newDigits(), newDigits()];
    const consents = { chatapp_marketing: true };
    await contact(workspace, stays, { tags: ['vip'], consents });
    await contact(workspace, leaves, { tags: ['vip'], consents });
    const resume = await pauseDispatch(workspace);
    const { id } = await create(workspace, { tags: ['vip'] }, { template: marketingTemplate });
    await untilHandedOver(id, 2);
    const identities = [{ channel_type: 'chatapp', identifier: `+${leaves}` }];
    const withdrawn = { identities, consents: { chatapp_marketing: false } };
    assert.equal((await workspace.api.post('/contacts', withdrawn)).status, 200);
    await resume();
    await untilCounts(workspace, id, { total: 2, read: 1, failed: 1 });
    assert.deepEqual(sentTo(workspace), [stays]);
    const failed = (await outcomes(workspace, id)).filter(({ status }) => status === 'failed');
    const reason = 'A marketing template needs the opt-in of the contact, consents.chatapp_marketing.';
    assert.deepEqual(
      failed.map(({ to, error }) => [to, error]),
      [[`+${leaves}`, `unprocessable_content: ${reason}`]],
    );
  });

  it('counts each customer who wrote after it once as replied', async () => {
    const workspace = await majlis.workspace();
    const [one, other] = [newDigits(), newDigits()];
    const { id } = await create(workspace, { recipients: [one, other].map((to) => ({ to, params: ['a', 'b'] })) });
    await untilCounts(workspace, id, { read: 2, replied: 0 });
    await receiveText(majlis, workspace, one);
    await receiveText(majlis, workspace, one);
    await untilCounts(workspace, id, { read: 2, replied: 1 });
  });

  it('is no reply: what the customer wrote stays unread and waits for its first response', async () => {
    const workspace = await majlis.workspace();
    const digits = newDigits();
    await receiveText(majlis, workspace, digits);
    const { id } = await create(workspace, { recipients: [{ to: digits, params: ['a', 'b'] }] });
    await untilCounts(workspace, id, { read: 1 });
    const unread = async () => (await workspace.api.get('/conversations')).body.data[0].unread_count;
    assert.equal(await unread(), 1);

    await majlis.advance(3600);
    const reply = await workspace.api.post('/messages', { to: digits, kind: 'text', body: 'Yes, it is.' });
    assert.equal(reply.status, 201);
    assert.equal(await unread(), 0);
    const at = await now();
    const [from, to] = [at - day * 1000, at + day * 1000].map((time) => new Date(time).toISOString().slice(0, 10));
    const { body } = await workspace.api.get(`/analytics/conversations?from=${from}&to=${to}`);
    const medians = body.data.map((row: AnyJson) => row.first_response_p50_seconds).filter(Boolean);
    assert.equal(medians.length, 1);
    assert.ok(medians[0] >= 3600 && medians[0] < 3700, String(medians[0]));
  });

  it('of 10,000 is accepted, and of one more refused: 422', async () => {
    const workspace = await majlis.workspace();
    const recipients = Array.from({ length: 10_001 }, (_, n) => ({ to: `+9687${1_000_000 + n}`, params: ['a', 'b'] }));
    const send_at = '2100-01-01T00:00:00Z';
    const created = await create(workspace, { recipients: recipients.slice(1) }, { send_at });
    assert.deepEqual([created.status, created.counts.total], ['scheduled', 10_000]);
    assertRefused(await post(workspace, { recipients }, { send_at }), 422);
  });
});

describe('a broadcast to contacts', () => {
  it('by tags reaches whoever carries any of them when it starts, and nobody who came later', async () => {
    const workspace = await majlis.workspace();
    const [vip, both, late] = [newDigits(), newDigits(), newDigits()];
    await contact(workspace, vip, { tags: ['vip'], consents: { chatapp_marketing: true } });
    await contact(workspace, both, { tags: ['vip', 'retail'], consents: { chatapp_marketing: true } });
    await contact(workspace, newDigits(), { tags: ['other'], consents: { chatapp_marketing: true } });
    const send_at = new Date((await now()) + 7 * day * 1000).toISOString();
    const created = await create(workspace, { tags: ['vip', 'retail'] }, { template: marketingTemplate, send_at });
    assert.deepEqual([created.status, created.counts.total], ['scheduled', 0]);
    await contact(workspace, late, { tags: ['retail'], consents: { chatapp_marketing: true } });
    await majlis.advance(7 * day - 5);
    assert.equal((await read(workspace, created.id)).status, 'scheduled');
    await majlis.advance(5);
    await untilCounts(workspace, created.id, { total: 3, read: 3 });
    await contact(workspace, newDigits(), { tags: ['vip'], consents: { chatapp_marketing: true } });
    assert.equal((await read(workspace, created.id)).counts.total, 3);
    assert.deepEqual(sentTo(workspace).sort(), [vip, both, late].sort());
  });

  it('by a stage reaches whoever stands there', async () => {
    const workspace = await majlis.workspace({ stages: [{ name: 'Customer' }] });
    const stage_id = workspace.applied.stages[0].id;
    const digits = newDigits();
    await contact(workspace, digits, { stage_id, consents: { chatapp_marketing: true } });
    await contact(workspace, newDigits(), { consents: { chatapp_marketing: true } });
    const { id } = await create(workspace, { stage_id }, { template: marketingTemplate });
    await untilCounts(workspace, id, { total: 1, read: 1 });
  });
});

describe('a broadcast that could never be sent', () => {
  it('is refused: 422', async () => {
    const workspace = await majlis.workspace({ stages: [{ name: 'Customer' }] });
    const recipients = [{ to: '+96891234567' }];
    const { applied } = await majlis.workspace({ stages: [{ name: 'Customer' }] });
    for (const audience of [
      {},
      { tags: ['a'], recipients },
      { tags: ['a'], stage_id: 'x' },
      { stage_id: 'x' },
      { stage_id: applied.stages[0].id },
      { recipients: [{ to: '123', params: ['a', 'b'] }] },
    ]) {
      assertRefused(await post(workspace, audience), 422, JSON.stringify(audience));
    }
    const unknown = await post(workspace, { recipients }, { template: { name: 'nothing', language: 'en' } });
    assert.equal(assertRefused(unknown, 422).code, 'template_not_found');
    assertRefused(await post(workspace, { recipients }, { channel_id: 'ch_wa_nothing' }), 422);
    const named = [
      { to: newDigits(), params: ['a', 'b'] },
      { to: newDigits(), params: ['a'] },
      { to: newDigits() },
      { to: newDigits(), params: ['a', ' '] },
      { to: newDigits(), params: ['', 'b'] },
    ];
    const pointers = assertRefused(await post(workspace, { recipients: named }), 422).errors?.map(
      ({ pointer }) => pointer,
    );
    assert.deepEqual(
      pointers,
      ['1/params', '2/params', '3/params/1', '4/params/0'].map((place) => `/audience/recipients/${place}`),
    );
    for (const audience of [{ tags: ['a'] }, { stage_id: workspace.applied.stages[0].id }]) {
      const [error] = assertRefused(await post(workspace, audience), 422).errors!;
      assert.equal(error!.pointer, '/audience');
      assert.match(error!.detail, /^The template has 2 variables/);
    }
    await majlis.sql('update templates set components = $2 where workspace_id = $1', [
      parseId('workspace', workspace.applied.workspace.id),
      JSON.stringify([{ type: 'header', format: 'image' }]),
    ]);
    const shown = assertRefused(await post(workspace, { tags: ['a'] }), 422);
    assert.equal(shown.errors?.[0]?.pointer, '/template');
    assert.deepEqual((await workspace.api.get('/broadcasts')).body.data, []);
  });
});

describe('a cancelled broadcast', () => {
  it('does not start, though its time comes', async () => {
    const workspace = await majlis.workspace();
    const send_at = new Date((await now()) + 60_000).toISOString();
    const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] }, { send_at });
    assert.equal((await cancel(workspace, id)).status, 'cancelled');
    await majlis.advance(61);
    await untilIdle();
    const { status, counts } = await read(workspace, id);
    assert.deepEqual([status, counts.total, counts.queued, counts.failed], ['cancelled', 1, 0, 1]);
    const ends = (await outcomes(workspace, id)).map(({ status, error }: AnyJson) => [status, error]);
    assert.deepEqual(ends, [['refused', 'The broadcast was cancelled before the message was sent.']]);
    assert.deepEqual(sentTo(workspace), []);
  });

  it('sends nothing more, though it had begun', async () => {
    const workspace = await majlis.workspace();
    const resume = await pauseDispatch(workspace);
    const recipients = Array.from({ length: 30 }, () => ({ to: newDigits(), params: ['a', 'b'] }));
    const { id } = await create(workspace, { recipients });
    await untilHandedOver(id, 30);
    const cancelled = await cancel(workspace, id);
    assert.equal(cancelled.status, 'cancelled');
    await resume();
    await untilCounts(workspace, id, { total: 30, queued: 0, sent: 0, failed: 30 });
    assert.deepEqual(sentTo(workspace), []);
    // The job of the next batch waits, and finds the broadcast cancelled.
    await majlis.advance(60);
    await untilIdle();
    assert.equal((await read(workspace, id)).status, 'cancelled');
  });

  it('that has ended stays as it is', async () => {
    const workspace = await majlis.workspace();
    const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] });
    await eventually(
      () => read(workspace, id),
      ({ status }) => status === 'sent',
    );
    assert.equal((await cancel(workspace, id)).status, 'sent');
  });
});

describe('several processes', () => {
  it('start a broadcast once', async () => {
    const workspace = await majlis.workspace();
    const others = await Promise.all([majlis.another(), majlis.another()]);
    for (let n = 0; n < 5; n++) {
      const recipients = Array.from({ length: 40 }, () => ({ to: newDigits(), params: ['a', 'b'] }));
      const { id } = await create(workspace, { recipients });
      await untilCounts(workspace, id, { total: 40, read: 40 });
    }
    assert.equal(sentTo(workspace).length, 200);
    await Promise.all(others.map((other) => other.stop()));
  });
});

describe('the start of a broadcast', () => {
  it('comes once, though its job is found many times', async () => {
    const workspace = await majlis.workspace();
    const other = await majlis.another();
    await contact(workspace, newDigits(), { tags: ['vip'], consents: { chatapp_marketing: true } });
    const send_at = new Date((await now()) + 60_000).toISOString();
    const resume = await pauseDispatch(workspace);
    const { id } = await create(workspace, { tags: ['vip'] }, { template: marketingTemplate, send_at });
    const channel = parseId('channel', workspace.channel_id);
    const jobs = (kind: string) => majlis.sql('select from jobs where group_id = $1 and kind = $2', [channel, kind]);
    await majlis.sql(
      `insert into jobs (kind, group_id, payload, run_at)
       select kind, group_id, payload, run_at from jobs, generate_series(1, 19) where group_id = $1`,
      [channel],
    );
    await majlis.advance(60);
    await untilHandedOver(id, 1);
    await eventually(
      () => jobs('broadcasts.start_broadcast'),
      (rows) => rows.length === 0,
    );
    // What goes on with it puts itself off while its message waits: one job, however often it was started.
    assert.equal((await jobs('broadcasts.send_batch')).length, 1);
    await resume();
    await untilCounts(workspace, id, { total: 1, read: 1 });
    await other.stop();
  });

  it('and its cancelling at the same moment end in one of both, for good', async () => {
    const workspace = await majlis.workspace();
    for (let n = 0; n < 10; n++) {
      const send_at = new Date((await now()) + 60_000).toISOString();
      const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] }, { send_at });
      await Promise.all([majlis.advance(60), cancel(workspace, id)]);
      await untilIdle();
      const { status, counts } = await untilCounts(workspace, id, { queued: 0 });
      assert.equal(status, 'cancelled');
      assert.equal(counts.sent + counts.failed, 1);
    }
  });

  it('is weeks ahead where it is to be, further than a timer of the process reaches', async () => {
    const workspace = await majlis.workspace();
    // setTimeout takes 24.8 days at most and fires at once beyond that (hazard H71).
    const send_at = new Date((await now()) + 30 * day * 1000).toISOString();
    const { id } = await create(workspace, { recipients: [{ to: newDigits(), params: ['a', 'b'] }] }, { send_at });
    await majlis.advance(30 * day - 5);
    await untilIdle();
    assert.equal((await read(workspace, id)).status, 'scheduled');
    assert.deepEqual(sentTo(workspace), []);
    await majlis.advance(5);
    await untilCounts(workspace, id, { read: 1 });
  });
});

describe('the list of broadcasts', () => {
  it('shows the newest first, page by page', async () => {
    const workspace = await majlis.workspace();
    const send_at = '2100-01-01T00:00:00Z';
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.unshift((await create(workspace, { tags: ['a'] }, { template: marketingTemplate, send_at })).id);
    const { body } = await workspace.api.get('/broadcasts');
    assert.deepEqual(
      body.data.map(({ id }: AnyJson) => id),
      ids,
    );
    assert.equal(body.has_more, false);
  });
});

describe('an idempotency key', () => {
  it('makes one broadcast of a repeated call', async () => {
    const workspace = await majlis.workspace();
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      name: 'Sale',
      template: utilityTemplate,
      audience: { recipients: [{ to: newDigits(), params: ['a', 'b'] }] },
    };
    const [one, other] = await Promise.all([1, 2].map(() => workspace.api.post('/broadcasts', body, headers)));
    assert.equal(one!.body.id, other!.body.id);
    assert.equal((await workspace.api.get('/broadcasts')).body.data.length, 1);
  });
});

describe('a customer who is erased', () => {
  it('is no recipient of any broadcast', async () => {
    const workspace = await majlis.workspace();
    const [gone, stays] = [newDigits(), newDigits()];
    const contact_id = await contact(workspace, gone);
    const recipients = [gone, stays].map((to) => ({ to, params: ['a', 'b'] }));
    const sent = await create(workspace, { recipients });
    await untilCounts(workspace, sent.id, { read: 2 });
    const waiting = await create(workspace, { recipients }, { send_at: '2100-01-01T00:00:00Z' });
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    for (const { id } of [sent, waiting]) {
      const { audience, counts } = await read(workspace, id);
      assert.deepEqual(
        audience.recipients.map(({ to }: AnyJson) => to),
        [`+${stays}`],
      );
      assert.equal(counts.total, 1);
    }
  });
});
