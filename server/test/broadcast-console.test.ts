import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastClient, marketingTemplate, utilityTemplate } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { create, cancel, contact, now, setTier, sentTo, untilCounts, untilIdle, read } = createBroadcastClient(majlis);

const listOf = (count: number) => ({
  recipients: Array.from({ length: count }, () => ({ to: `+${newDigits()}`, params: ['Muna', 'A-1'] })),
});

async function open(options: Record<string, unknown> = {}): Promise<{ workspace: TestWorkspace; member: Member }> {
  const workspace = await majlis.workspace(options);
  return { workspace, member: await joinWorkspace(majlis, workspace, { role: 'supervisor' }) };
}

async function expect(reply: Promise<{ status: number; body: AnyJson }>, status = 200): Promise<AnyJson> {
  const { status: answered, body } = await reply;
  assert.equal(answered, status, JSON.stringify(body));
  return body;
}

const place = (id: string) => `/broadcast-states/${id}`;
const stateOf = (member: Member, id: string) => expect(member.at('GET', place(id)));
const act = (member: Member, id: string, action: 'pause' | 'resume', status?: number) =>
  expect(member.at('POST', `${place(id)}/${action}`), status);

/** A broadcast of which two messages have left and the others wait for a place. */
async function openWaiting(): Promise<{ workspace: TestWorkspace; member: Member; id: string }> {
  const { workspace, member } = await open();
  await setTier(workspace, 2);
  const { id } = await create(workspace, listOf(5));
  await untilCounts(workspace, id, { read: 2, queued: 3 });
  return { workspace, member, id };
}

describe('a paused broadcast', () => {
  it('sends nothing until it goes on, and reaches each of the others once', async () => {
    const { workspace, member, id } = await openWaiting();
    const paused = await act(member, id, 'pause');
    assert.deepEqual([paused.paused, paused.waiting, paused.broadcast.status], [true, 3, 'sending']);
    assert.equal(paused.paused_by.startsWith('usr_'), true);
    await setTier(workspace, 1_000);
    await majlis.advance(120);
    await untilIdle();
    assert.equal(sentTo(workspace).length, 2);
    // The contract has no word for it.
    assert.equal((await read(workspace, id)).status, 'sending');
    const resumed = await act(member, id, 'resume');
    assert.deepEqual([resumed.paused, resumed.paused_at], [false, undefined]);
    await untilCounts(workspace, id, { read: 5, queued: 0 });
    await untilIdle();
    assert.equal(new Set(sentTo(workspace)).size, 5);
    assert.equal(sentTo(workspace).length, 5);
    const actions = (await majlis.sql('select action, details from audit_entries order by id')).slice(-2);
    assert.deepEqual(actions, [
      { action: 'pauseBroadcast', details: { waiting: 3 } },
      { action: 'resumeBroadcast', details: { waiting: 3 } },
    ]);
  });

  it('goes on by its own job when nobody noticed the pause', async () => {
    const { workspace, member, id } = await openWaiting();
    await act(member, id, 'pause');
    await act(member, id, 'resume');
    await setTier(workspace, 1_000);
    await majlis.advance(60);
    await untilCounts(workspace, id, { read: 5 });
    // A second job would send again, or end the broadcast twice.
    const jobs = `select from jobs where kind = 'broadcasts.send_batch' and payload like $1`;
    await eventually(
      async () => (await read(workspace, id)).status,
      (status) => status === 'sent',
    );
    assert.equal((await majlis.sql(jobs, [`%${parseId('broadcast', id)}%`])).length, 0);
    assert.equal(sentTo(workspace).length, 5);
  });

  it('does not start at its time', async () => {
    const { workspace, member } = await open();
    const send_at = new Date((await now()) + 60_000).toISOString();
    const { id } = await create(workspace, listOf(2), { send_at });
    await act(member, id, 'pause');
    await majlis.advance(61);
    await untilIdle();
    const { broadcast, paused, waiting } = await stateOf(member, id);
    assert.deepEqual([broadcast.status, paused, waiting, sentTo(workspace).length], ['scheduled', true, 2, 0]);
    await act(member, id, 'resume');
    await untilCounts(workspace, id, { read: 2 });
  });

  it('is cancelled like any other, and its end is told to whoever acts late', async () => {
    const { workspace, member, id } = await openWaiting();
    const second = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    assert.equal((await act(member, id, 'resume', 409)).code, 'not_paused');
    await act(member, id, 'pause');
    assert.equal((await act(second, id, 'pause', 409)).code, 'already_paused');
    await cancel(workspace, id);
    for (const action of ['pause', 'resume'] as const) {
      assert.equal((await act(second, id, action, 409)).code, 'broadcast_ended');
    }
    const { broadcast, paused, waiting, failures } = await stateOf(member, id);
    assert.deepEqual([broadcast.status, paused, waiting], ['cancelled', false, 0]);
    assert.deepEqual([failures.length, failures[0].code, failures[0].count], [1, 'broadcast_cancelled', 3]);
  });

  it('of two people who press at once, one is told', async () => {
    const { workspace, member, id } = await openWaiting();
    const second = await joinWorkspace(majlis, workspace, { role: 'admin' });
    for (const action of ['pause', 'resume'] as const) {
      const replies = await Promise.all([member, second].map((one) => one.at('POST', `${place(id)}/${action}`)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409], action);
    }
  });

  it('is none where everybody has a message', async () => {
    const { workspace, member } = await open();
    const { id } = await create(workspace, { recipients: [] });
    await eventually(
      () => read(workspace, id),
      ({ status }) => status === 'sent',
    );
    assert.equal((await act(member, id, 'pause', 409)).code, 'broadcast_ended');
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await act(agent, id, 'pause', 403)).code, 'role_insufficient');
  });
});

describe('the recipients of a broadcast', () => {
  it('are listed with their reasons, by status and by reason', async () => {
    const { workspace, member } = await open();
    const blocked = newDigits();
    const contact_id = await contact(workspace, blocked, { name: 'Salim' });
    await workspace.api.request('PATCH', `/contacts/${contact_id}`, { blocked: true });
    const answering = newDigits();
    const numbers = ['96890131026', '96891131026', blocked, answering];
    const recipients = numbers.map((digits, n) => ({ to: `+${digits}`, params: [`Name ${n}`, 'A-1'] }));
    const { id } = await create(workspace, { recipients });
    await untilCounts(workspace, id, { queued: 0, read: 1, failed: 3 });
    await receiveText(majlis, workspace, answering);
    const list = async (query = '') => (await expect(member.at('GET', `${place(id)}/recipients${query}`))).data;
    await eventually(
      () => list('?status=replied'),
      (rows) => rows.length === 1,
    );
    const all = await list();
    assert.deepEqual(
      all.map(({ to, status, code }: AnyJson) => [to.slice(1), status, code]),
      [
        ['96890131026', 'failed', '131026'],
        ['96891131026', 'failed', '131026'],
        [blocked, 'failed', 'contact_blocked'],
        [answering, 'read', undefined],
      ],
    );
    assert.deepEqual([all[2].name, all[2].contact_id, all[2].params], ['Salim', contact_id, ['Name 2', 'A-1']]);
    const { failures } = await stateOf(member, id);
    for (const { reason, count } of failures) {
      assert.equal((await list(`?status=failed&reason=${encodeURIComponent(reason)}`)).length, count, reason);
    }
    assert.equal((await list('?status=read')).length, 1);
    assert.equal((await list('?status=waiting')).length, 0);
    assert.equal((await member.at('GET', `${place(id)}/recipients?status=lost`)).status, 422);
  });

  it('are exported page by page, which is recorded once', async () => {
    const { workspace, member } = await open();
    const { id } = await create(workspace, listOf(1_001), { send_at: '2100-01-01T00:00:00Z' });
    const first = await expect(member.at('POST', `${place(id)}/recipient-exports`, {}));
    assert.deepEqual([first.data.length, first.has_more], [1_000, true]);
    const acts = () => majlis.sql(`select targets from audit_entries where action = 'exportBroadcastRecipients'`);
    assert.deepEqual(await acts(), [{ targets: { broadcast_id: id } }]);
    const { next_cursor: cursor } = first;
    const rest = await expect(member.at('POST', `${place(id)}/recipient-exports`, { cursor }));
    assert.deepEqual([rest.data.length, rest.has_more], [1, false]);
    assert.deepEqual(await acts(), [{ targets: { broadcast_id: id } }]);
    const other = await majlis.workspace();
    const stranger = await joinWorkspace(majlis, other, { role: 'owner' });
    assert.equal((await stranger.at('POST', `${place(id)}/recipient-exports`, {})).status, 404);
  });
});

describe('the preview of a broadcast', () => {
  const preview = (member: Member, body: object, status?: number) =>
    expect(member.at('POST', '/broadcast-previews', { template: utilityTemplate, ...body }), status);
  const reasonsIn = ({ left_out }: AnyJson) =>
    Object.fromEntries(left_out.map(({ reason, count }: AnyJson) => [reason, count]));

  it('says of a list who is reached, who is not and why, and stores nothing', async () => {
    const { workspace, member } = await open({
      prices: { utility: 8 },
      wallet: { balance_minor: 500, currency: 'OMR' },
    });
    const [known, blocked, second] = [newDigits(), newDigits(), newDigits()];
    const identities = [known, second].map((digits) => ({ channel_type: 'chatapp', identifier: `+${digits}` }));
    await expect(workspace.api.post('/contacts', { identities, name: 'Muna' }), 201);
    await workspace.api.request('PATCH', `/contacts/${await contact(workspace, blocked)}`, { blocked: true });
    await receiveText(majlis, workspace, known);
    const params = ['Muna', 'A-1'];
    const unknown = newDigits();
    const recipients = [
      { to: `+${known}`, params },
      { to: `00${known}`, params },
      { to: `+${second}`, params },
      { to: `+${blocked}`, params },
      { to: 'nobody', params },
      { to: `+${newDigits()}`, params: ['Muna'] },
      { to: `+${unknown}`, params },
    ];
    const before = await majlis.sql('select from contacts');
    const body = await preview(member, { audience: { recipients } });
    assert.deepEqual([body.total, body.checked, body.reachable, body.more], [7, 7, 2, false]);
    assert.deepEqual(reasonsIn(body), { contact_blocked: 1, invalid_phone: 1, wrong_params: 1, repeated: 2 });
    assert.deepEqual(body.refused_entries, [4, 5]);
    assert.deepEqual(
      body.reached_first.map(({ to, name }: AnyJson) => [to, name]),
      [
        [`+${known}`, 'Muna'],
        [`+${unknown}`, undefined],
      ],
    );
    assert.deepEqual(
      body.left_out_first.map(({ reason }: AnyJson) => reason),
      ['invalid_phone', 'wrong_params', 'repeated', 'contact_blocked'],
    );
    // Who wrote within 24 hours takes no place of the tier.
    assert.equal(body.new_customers, 1);
    const { quote, ...cost } = body.cost;
    assert.deepEqual(cost, { category: 'utility' });
    const [{ fee_minor }] = quote.charges;
    assert.deepEqual([fee_minor, quote.currency, quote.total_minor], [8, 'OMR', 8 * quote.messages]);
    assert.equal((await majlis.sql('select from contacts')).length, before.length);
    assert.equal((await member.at('GET', '/broadcast-states')).body.data.length, 0);
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const forAdmin = await preview(admin, { audience: { recipients } });
    assert.equal(forAdmin.cost.balance_minor, 500);
  });

  it('counts the contacts of tags, without an opt-in and without a number too', async () => {
    const { workspace, member } = await open();
    const tags = [`vip${newDigits()}`];
    await contact(workspace, newDigits(), { tags, consents: { chatapp_marketing: true } });
    await contact(workspace, newDigits(), { tags });
    const email = [{ channel_type: 'email', identifier: `${newDigits()}@example.com` }];
    await expect(workspace.api.post('/contacts', { identities: email, tags }), 201);
    const body = await preview(member, { template: marketingTemplate, audience: { tags } });
    assert.deepEqual([body.total, body.checked, body.reachable], [3, 3, 1]);
    assert.deepEqual(reasonsIn(body), { opt_in_missing: 1, no_number: 1 });
    // No price is set, so none is named.
    assert.deepEqual(body.cost.quote.charges, [{ category: 'marketing', messages: 1 }]);
    assert.deepEqual([body.cost.quote.total_minor, body.cost.quote.currency], [0, undefined]);
  });

  it('agrees with what the broadcast then does', async () => {
    const { workspace, member } = await open();
    const tags = [`t${newDigits()}`];
    for (let n = 0; n < 6; n++) {
      await contact(workspace, newDigits(), { tags, consents: { chatapp_marketing: n % 2 === 0 } });
    }
    const { reachable } = await preview(member, { template: marketingTemplate, audience: { tags } });
    const { id } = await create(workspace, { tags }, { template: marketingTemplate });
    await untilCounts(workspace, id, { total: 6, queued: 0, sent: reachable });
  });

  it('refuses what no broadcast could be', async () => {
    const { member } = await open();
    const faultOf = async (body: object) => (await preview(member, body, 422)).errors?.[0].pointer;
    assert.equal(await faultOf({ audience: {} }), '/audience');
    assert.equal(await faultOf({ audience: { tags: ['a'], recipients: [] } }), '/audience');
    assert.equal(await faultOf({ audience: { tags: ['a'] } }), '/audience');
    assert.equal(await faultOf({ template: marketingTemplate, audience: { stage_id: 'none' } }), '/audience/stage_id');
    const unknown = await preview(member, { template: { name: 'x', language: 'en' }, audience: { tags: [] } }, 422);
    assert.equal(unknown.code, 'template_not_found');
  });

  it('takes as many recipients as a broadcast', async () => {
    const { member } = await open();
    const body = await preview(member, { audience: listOf(10_000) });
    assert.deepEqual([body.total, body.reachable, body.reached_first.length], [10_000, 10_000, 50]);
    const { messaging_tier, places } = body.pace;
    assert.ok(messaging_tier === null ? places === undefined : places <= messaging_tier);
  });
});
