import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService();

/** Changes the workspace's number from the platform's side. */
async function changeNumber({ phone_number_id }: TestWorkspace, change: object): Promise<void> {
  await callControl(majlis, 'PATCH', `/numbers/${phone_number_id}`, change);
}

const channelOf = async ({ api, channel_id }: TestWorkspace) => (await api.get(`/channels/${channel_id}`)).body;

/** Jobs of this kind for the workspace's channel: one comes again and again. */
const jobsOf = ({ phone_number_id }: TestWorkspace, kind: string) =>
  majlis.sql<{ run_at: Date }>(
    `select run_at from jobs where kind = $1 and group_id = (select id from channels where phone_number_id = $2)`,
    [kind, phone_number_id],
  );

describe('a workspace', () => {
  it('says what the key stands for', async () => {
    const { api, id, key, applied } = await majlis.workspace();
    const { status, body } = await api.get('/me');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      workspace_id: id,
      workspace_name: applied.workspace.name,
      environment: 'test',
      key_prefix: key.slice(0, 12),
      scopes: ['messages:write', 'contacts:read', 'contacts:write'],
    });
  });

  it('shows what its operator wrote of it, and leaves out the rest', async () => {
    const { api, id, applied } = await majlis.workspace();
    const { status, body } = await api.get('/workspace');
    assert.equal(status, 200);
    const { name } = applied.workspace;
    assert.deepEqual(body, { id, name, country: 'OM', timezone: 'Asia/Muscat', language: 'ar', plan: 'growth' });
  });
});

describe('channels', () => {
  it('are listed with what the platform says of them', async () => {
    const workspace = await majlis.workspace();
    const { phone_number_id, waba_id, channel_id } = workspace;
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status !== undefined,
    );
    const { status, body } = await workspace.api.get('/channels');
    assert.equal(status, 200);
    const [{ created_at, quality, ...channel }] = body.data;
    assert.equal(body.data.length, 1);
    assert.match(created_at, /^\d{4}-.*Z$/);
    assert.equal(typeof quality, 'string');
    assert.deepEqual(channel, {
      id: channel_id,
      type: 'chatapp',
      status: 'CONNECTED',
      name: 'Support',
      display_phone: '+96880000001',
      verified_name: 'Acme',
      waba_id,
      phone_number_id,
    });
    assert.deepEqual(await channelOf(workspace), body.data[0]);
  });

  it('of another workspace are not there: 404, as for any other id', async () => {
    const [mine, other] = [await majlis.workspace(), await majlis.workspace()];
    for (const id of [other.channel_id, mine.channel_id.replace('ch_wa_', 'ch_'), mine.channel_id.slice(0, -1), 'x']) {
      const { status, body } = await mine.api.get(`/channels/${id}`);
      assert.deepEqual([status, body.code], [404, 'not_found'], id);
    }
  });

  it('follow the platform every hour, with one job for each', async () => {
    const workspace = await majlis.workspace();
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'CONNECTED',
    );
    // Applied again, each time with a new job: the older ones give way.
    for (const name of ['a', 'b', 'c']) {
      const { phone_number_id } = workspace;
      const { status } = await majlis.operator('PUT', '/workspaces', {
        workspace: { name: workspace.applied.workspace.name },
        channels: [{ phone_number_id, name }],
      });
      assert.equal(status, 200);
    }
    const { body: clock } = await majlis.operator('GET', '/clock');
    const waits = (jobs: { run_at: Date }[]) => jobs.length === 1 && jobs[0]!.run_at > new Date(clock.now);
    await eventually(() => jobsOf(workspace, 'channels.refresh_channel'), waits);
    // No webhook tells of a disconnection; the next reading does.
    await changeNumber(workspace, { status: 'DISCONNECTED' });
    await majlis.advance(3_600);
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'DISCONNECTED',
    );
  });

  it('follow what the platform reports between two readings', async () => {
    const workspace = await majlis.workspace();
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'CONNECTED',
    );
    await changeNumber(workspace, { quality_rating: 'RED' });
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.quality === 'RED',
    );
    await changeNumber(workspace, { verified_name: 'Acme Trading', name_status: 'APPROVED' });
    await changeNumber(workspace, { status: 'RESTRICTED' });
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'RESTRICTED',
    );
    await changeNumber(workspace, { tier: 10_000 });
    const tier = () =>
      majlis.sql(`select messaging_tier from channels where phone_number_id = $1`, [workspace.phone_number_id]);
    await eventually(tier, ([row]) => row!.messaging_tier === 10_000);
  });

  it('keep the platform’s word when the file is applied again', async () => {
    const workspace = await majlis.workspace();
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'CONNECTED',
    );
    await changeNumber(workspace, { tier: 100_000, verified_name: 'Acme LLC', quality_rating: 'RED' });
    const tier = () =>
      majlis.sql(`select messaging_tier, verified_name from channels where phone_number_id = $1`, [
        workspace.phone_number_id,
      ]);
    const reported = { messaging_tier: 100_000, verified_name: 'Acme LLC' };
    await eventually(tier, ([row]) => row!.verified_name === reported.verified_name);
    const { status } = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      channels: [{ phone_number_id: workspace.phone_number_id, messaging_tier: 1000, verified_name: 'Acme' }],
    });
    assert.equal(status, 200);
    assert.deepEqual(await tier(), [reported]);
  });

  it('are asked for again when the platform refuses, without the token in the log', async () => {
    const workspace = await majlis.workspace();
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'CONNECTED',
    );
    await changeNumber(workspace, { token_expired: true, status: 'FLAGGED' });
    await majlis.advance(3_600);
    const isRefused = () => majlis.log.filter((line) => line.includes('did not say how a number stands'));
    await eventually(isRefused, (lines) => lines.length > 0);
    assert.ok(!majlis.log.some((line) => line.includes(workspace.access_token)));
    await changeNumber(workspace, { token_expired: false });
    await majlis.advance(600);
    await eventually(
      () => channelOf(workspace),
      (channel) => channel.status === 'FLAGGED',
    );
  });

  it('are asked at once when their token is replaced after a fault, and only then', async () => {
    const workspace = await majlis.workspace();
    const { phone_number_id } = workspace;
    const apply = (access_token: string) =>
      majlis.operator('PUT', '/workspaces', {
        workspace: { name: workspace.applied.workspace.name },
        channels: [{ phone_number_id, access_token }],
      });
    const faults = () => majlis.sql(`select fault from channels where phone_number_id = $1`, [phone_number_id]);
    await majlis.sql(`update channels set fault = '190: expired', fault_until = now() where phone_number_id = $1`, [
      phone_number_id,
    ]);
    await apply(workspace.access_token);
    assert.deepEqual(await faults(), [{ fault: '190: expired' }]);
    await apply('another token');
    assert.deepEqual(await faults(), [{ fault: null }]);
  });
});
