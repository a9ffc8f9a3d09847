import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

async function setUp() {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const path = `/channels/${workspace.channel_id}`;
  const state = async (): Promise<AnyJson> =>
    (await admin.at('GET', '/channel-states')).body.data.find(
      ({ channel }: AnyJson) => channel.id === workspace.channel_id,
    );
  const disconnect = async () => admin.at('POST', `${path}/disconnection`, { version: (await state()).version });
  return { workspace, admin, path, state, disconnect };
}

describe('a channel that is disconnected', () => {
  it('says before what it stops, fails waiting messages, cancels broadcasts, and keeps conversations', async () => {
    const { workspace, admin, path, disconnect } = await setUp();
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    // The dispatch of the channel is paused, so messages wait.
    await majlis.sql(
      `insert into job_groups (kind, group_id, paused_until)
       select k, c.id, now() + interval '1 day' from channels c, unnest(array['messages.deliver_message', 'messages.deliver_bulk']) k
       where c.phone_number_id = $1`,
      [workspace.phone_number_id],
    );
    const { body: waiting } = await workspace.api.post('/messages', { to: `+${digits}`, ...templateMessage });
    const broadcast = {
      name: 'Later',
      template: templateMessage.template,
      audience: { recipients: [{ to: `+${newDigits()}`, params: ['A', 'B'] }] },
      send_at: '2099-01-01T00:00:00Z',
    };
    const { body: scheduled } = await workspace.api.post('/broadcasts', broadcast);
    const counts = await admin.at('GET', `${path}/disconnection`);
    assert.deepEqual(counts.body, {
      ...{ waiting_messages: 1, scheduled_messages: 0, broadcasts: 1, open_conversations: 1 },
    });

    const { status, body } = await disconnect();
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.disconnected_at);
    assert.equal(body.channel.status, 'DISCONNECTED');
    const failed = await eventually(
      async () => (await workspace.api.get(`/messages/${waiting.id}`)).body,
      (message) => message.status === 'failed',
    );
    assert.equal(failed.error, 'The channel was disconnected before the message was sent.');
    assert.equal((await workspace.api.get(`/broadcasts/${scheduled.id}`)).body.status, 'cancelled');
    const listed = (await workspace.api.get('/channels')).body.data;
    assert.deepEqual(
      listed.map((one: AnyJson) => [one.id, one.status]),
      [[workspace.channel_id, 'DISCONNECTED']],
    );
    assert.equal((await admin.at('GET', `/conversations/${conversation_id}/messages`)).status, 200);
    const [act] = (await admin.at('GET', '/audit')).body.data;
    assert.deepEqual(
      [act.action, act.details],
      ['disconnectChannel', { waiting_messages: 1, broadcasts: 1, scheduled_messages: 0 }],
    );
    const gate = (await admin.at('GET', `/conversations/${conversation_id}/gate`)).body;
    assert.deepEqual([gate.free.allowed, gate.template.allowed], [false, false]);
  });

  it('takes no more sends, and acknowledges notifications without applying them', async () => {
    const { workspace, admin, path, disconnect, state } = await setUp();
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const { version } = await state();
    assert.equal((await disconnect()).status, 200);
    const again = await admin.at('POST', `${path}/disconnection`, { version });
    assert.deepEqual([again.status, again.body.code], [409, 'changed_meanwhile']);
    const change = await admin.at('PATCH', path, { version: (await state()).version, name: 'Other' });
    assert.deepEqual([change.status, change.body.code], [409, 'changed_meanwhile']);
    const channel_id = workspace.channel_id;
    const sent = await workspace.api.post('/messages', { to: `+${digits}`, channel_id, ...templateMessage });
    assert.deepEqual([sent.status, sent.body.errors[0].pointer], [422, '/channel_id']);
    const reply = await workspace.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hi' });
    assert.equal(reply.status, 422);
    const audience = { recipients: [{ to: `+${digits}`, params: ['A', 'B'] }] };
    const broadcast = { name: 'Now', channel_id, template: templateMessage.template, audience };
    assert.equal((await workspace.api.post('/broadcasts', broadcast)).status, 422);

    const before = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    const message = platformText(digits, 'Is anybody there?');
    await postNotification(majlis, workspace, { messages: [message] });
    await untilNotificationsProcessed(majlis);
    assert.deepEqual((await workspace.api.get(`/conversations/${conversation_id}`)).body, before);
    // Its access token is forgotten.
    const [row] = await majlis.sql<{ token: string }>(
      `select encode(access_token, 'escape') as token from channels where phone_number_id = $1`,
      [workspace.phone_number_id],
    );
    assert.ok(!row!.token.includes(workspace.access_token));
  });

  it('comes back with its history when the same number is connected again', async () => {
    const { workspace, admin, disconnect, state } = await setUp();
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    await disconnect();
    const { phone_number_id, waba_id, access_token, app_secret } = workspace;
    const access = { name: 'Support again', phone_number_id, waba_id, access_token, app_secret };
    const connected = await admin.at('POST', '/channels', access);
    assert.equal(connected.status, 201, JSON.stringify(connected.body));
    assert.equal(connected.body.state.channel.id, workspace.channel_id);
    assert.equal((await state()).disconnected_at, undefined);
    const twice = await admin.at('POST', '/channels', access);
    assert.deepEqual([twice.status, twice.body.errors[0].pointer], [422, '/phone_number_id']);
    const reply = await workspace.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hi' });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    await postNotification(majlis, workspace, { messages: [platformText(digits, 'Back?')] });
    await untilNotificationsProcessed(majlis);
    const { body } = await workspace.api.get(`/conversations/${conversation_id}/messages`);
    assert.ok(body.data.some((one: AnyJson) => one.body === 'Back?'));
  });

  it('stays so when the workspace file is applied again, and lets another workspace connect the number', async () => {
    const { workspace, disconnect, state } = await setUp();
    await disconnect();
    const { phone_number_id, waba_id, access_token, app_secret } = workspace;
    const channels = [{ phone_number_id, waba_id, access_token, app_secret, verify_token: 'another' }];
    const { body } = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      channels,
    });
    assert.deepEqual(body.kept, [
      { channel: phone_number_id, member: 'status', value: 'disconnected', in_file: 'connected' },
    ]);
    assert.ok((await state()).disconnected_at);
    const other = await majlis.workspace({ channels: [], templates: [] });
    const owner = await joinWorkspace(majlis, other);
    const access = { name: 'Ours now', phone_number_id, waba_id, access_token, app_secret };
    const connected = await owner.at('POST', '/channels', access);
    assert.equal(connected.status, 201, JSON.stringify(connected.body));
    assert.notEqual(connected.body.state.channel.id, workspace.channel_id);
    await postNotification(majlis, workspace, { messages: [platformText(newDigits(), 'To the new owner')] });
    await untilNotificationsProcessed(majlis);
    assert.equal((await owner.at('GET', '/conversations')).body.data.length, 1);
    assert.equal((await workspace.api.get('/conversations')).body.data.length, 0);
  });
});
