import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ channels: [], templates: [] });
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const callback_url = `${majlis.url}/platform/chatapp/webhook`;

/** A number that the simulated platform has, with the app secret that signs its notifications. */
function registerNumber(): { phone_number_id: string; waba_id: string; access_token: string; app_secret: string } {
  const access = {
    phone_number_id: `55${randomInt(1e12)}`,
    waba_id: `66${randomInt(1e12)}`,
    access_token: `token-${randomBytes(6).toString('hex')}`,
  };
  const app_secret = `secret-${randomBytes(6).toString('hex')}`;
  const shown = { display_phone: '+96880000009', verified_name: 'Majan' };
  majlis.simulator.addNumber({ ...access, ...shown, webhook: { callback_url, app_secret } });
  return { ...access, app_secret };
}

async function connect(access = registerNumber()): Promise<{ access: typeof access; connected: AnyJson }> {
  const { status, body } = await admin.at('POST', '/channels', { name: 'Support', ...access });
  assert.equal(status, 201, JSON.stringify(body));
  return { access, connected: body };
}

const stateOf = (checks: AnyJson[]) => Object.fromEntries(checks.map(({ name, state }) => [name, state]));
const verify = (token: string) =>
  fetch(`${callback_url}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${encodeURIComponent(token)}`);
const acts = async () => (await admin.at('GET', '/audit')).body.data as AnyJson[];

describe('the connection of a channel by a person', () => {
  it('checks what is entered against the platform, value by value', async () => {
    const access = registerNumber();
    const check = async (change: object) => {
      const { status, body } = await admin.at('POST', '/channel-checks', { ...access, ...change });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const right = await check({});
    assert.deepEqual(stateOf(right.checks), {
      number: 'passed',
      account: 'passed',
      app_secret: 'passed',
      subscription: 'passed',
    });
    assert.deepEqual([right.display_phone, right.verified_name], ['+96880000009', 'Majan']);
    assert.equal(stateOf((await check({ access_token: 'wrong' })).checks).number, 'failed');
    assert.equal(stateOf((await check({ phone_number_id: '1' })).checks).number, 'failed');
    assert.equal(stateOf((await check({ waba_id: '1' })).checks).account, 'failed');
    assert.equal(stateOf((await check({ app_secret: 'wrong' })).checks).app_secret, 'failed');
    const { phone_number_id, waba_id, access_token } = access;
    const without = await admin.at('POST', '/channel-checks', { phone_number_id, waba_id, access_token });
    assert.equal(stateOf(without.body.checks).app_secret, 'skipped');
  });

  it('stores the number with sealed secrets, and answers none of them', async () => {
    const { access, connected } = await connect();
    const listed = await admin.at('GET', '/channel-states');
    const texts = [connected.state, listed.body, await acts()].map((one) => JSON.stringify(one));
    for (const secret of [access.access_token, access.app_secret, connected.verify_token]) {
      for (const text of texts) assert.ok(!text.includes(secret));
    }
    const [row] = await majlis.sql<{ access_token: Buffer; verify_token: Buffer }>(
      'select access_token, verify_token from channels where phone_number_id = $1',
      [access.phone_number_id],
    );
    assert.ok(!row!.access_token.includes(access.access_token));
    assert.ok(!row!.verify_token.includes(connected.verify_token));
    assert.ok(connected.callback_url.endsWith('/platform/chatapp/webhook'), connected.callback_url);
    assert.equal(connected.state.channel.display_phone, '+96880000009');
    const [act] = await acts();
    assert.equal(act.action, 'connectChannel');
    assert.equal(act.details.phone_number_id, access.phone_number_id);
  });

  it('takes no number that the platform does not give to the token, and none twice', async () => {
    const access = registerNumber();
    for (const [member, pointer] of [
      ['access_token', '/access_token'],
      ['waba_id', '/waba_id'],
      ['app_secret', '/app_secret'],
    ] as const) {
      const { status, body } = await admin.at('POST', '/channels', { name: 'S', ...access, [member]: 'wrong' });
      assert.deepEqual([status, body.errors[0].pointer], [422, pointer], member);
    }
    // A mark that a copy from a page brings along.
    const marked = { ...access, access_token: `\u200f${access.access_token}` };
    const { status, body } = await admin.at('POST', '/channels', { name: 'S', ...marked });
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/access_token'], JSON.stringify(body));
    await connect(access);
    const again = await admin.at('POST', '/channels', { name: 'S', ...access });
    assert.deepEqual([again.status, again.body.errors[0].pointer], [422, '/phone_number_id']);
  });

  it('tells when the platform has verified the callback, until there is a new token', async () => {
    const { connected } = await connect();
    const { id } = connected.state.channel;
    const verified = async () => {
      const { body } = await admin.at('GET', '/channel-states');
      return body.data.find((one: AnyJson) => one.channel.id === id).callback_verified_at;
    };
    assert.equal(await verified(), undefined);
    assert.equal((await verify('another')).status, 403);
    assert.equal((await verify(connected.verify_token)).status, 200);
    assert.ok(await verified());
    const renewed = await admin.at('POST', `/channels/${id}/verify-token`);
    assert.equal(renewed.status, 200);
    assert.equal(await verified(), undefined);
    assert.equal((await verify(connected.verify_token)).status, 403);
    assert.equal((await verify(renewed.body.verify_token)).status, 200);
  });

  it('changes nothing that somebody else has changed meanwhile', async () => {
    const { access, connected } = await connect();
    const { version, channel } = connected.state;
    const first = await admin.at('PATCH', `/channels/${channel.id}`, { version, name: 'Sales' });
    assert.deepEqual([first.status, first.body.channel.name], [200, 'Sales']);
    const second = await admin.at('PATCH', `/channels/${channel.id}`, { version, name: 'Orders' });
    assert.deepEqual([second.status, second.body.code], [409, 'changed_meanwhile']);
    // A new secret is a change as well, though nobody sees it.
    const { app_secret } = access;
    const third = await admin.at('PATCH', `/channels/${channel.id}`, { version: first.body.version, app_secret });
    assert.equal(third.status, 200);
    const fourth = await admin.at('PATCH', `/channels/${channel.id}`, { version: first.body.version, name: 'Orders' });
    assert.equal(fourth.body.code, 'changed_meanwhile');
    const wrong = { version: third.body.version, access_token: 'wrong' };
    const refused = await admin.at('PATCH', `/channels/${channel.id}`, wrong);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/access_token']);
    const elsewhere = await admin.at('PATCH', `/channels/${channel.id}`, { version: third.body.version, waba_id: '1' });
    assert.deepEqual([elsewhere.status, elsewhere.body.errors?.[0].pointer], [422, '/waba_id']);
    const unsigned = await admin.at('PATCH', `/channels/${channel.id}`, {
      version: third.body.version,
      app_secret: 'x',
    });
    assert.deepEqual([unsigned.status, unsigned.body.errors?.[0].pointer], [422, '/app_secret']);
  });

  it('leaves a record of each change: the values, and the names of new secrets alone', async () => {
    const { access, connected } = await connect();
    const { waba_id, access_token, app_secret } = access;
    let { version, channel } = connected.state;
    for (const [change, details] of [
      [{ name: 'Sales' }, { name: 'Sales', replaced: [] }],
      [{ waba_id }, { waba_id, replaced: [] }],
      [{ access_token }, { replaced: ['access_token'] }],
      [{ app_secret }, { replaced: ['app_secret'] }],
    ]) {
      const changed = await admin.at('PATCH', `/channels/${channel.id}`, { version, ...change });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      ({ version, channel } = changed.body);
      const [act] = await acts();
      assert.deepEqual([act.action, act.details], ['changeChannel', details]);
    }
  });

  it('is checked where the platform refuses the token by now, and says so', async () => {
    const { access, connected } = await connect();
    const path = `/channels/${connected.state.channel.id}`;
    const other = registerNumber();
    await majlis.sql(
      `update channels set access_token = (select o.access_token from channels o where o.phone_number_id = $2)
       where phone_number_id = $1`,
      [access.phone_number_id, (await connect(other)).access.phone_number_id],
    );
    const { status, body } = await admin.at('POST', `${path}/checks`);
    assert.deepEqual([status, stateOf(body.checks).number], [200, 'failed'], JSON.stringify(body));
  });

  it('subscribes the account to notifications, and stores what the platform says of the number', async () => {
    const { access, connected } = await connect();
    const control = { authorization: `Bearer ${access.access_token}` };
    const path = `${majlis.simulator.api_url}/${access.waba_id}/subscribed_apps`;
    await fetch(path, { method: 'DELETE', headers: control });
    const checked = await admin.at('POST', `/channels/${connected.state.channel.id}/checks`);
    assert.equal(stateOf(checked.body.checks).subscription, 'passed');
    const subscribed = (await (await fetch(path, { headers: control })).json()) as AnyJson;
    assert.equal(subscribed.data.length, 1);
    await eventually(
      async () => (await admin.at('GET', '/channel-states')).body.data.map((one: AnyJson) => one.channel.status),
      (states) => states.every((status: string) => status === 'CONNECTED'),
    );
  });

  it('asks for both secrets again where either cannot be read any more', async () => {
    for (const secret of ['access_token', 'app_secret']) {
      const { access, connected } = await connect();
      const { id } = connected.state.channel;
      await majlis.sql(
        `update channels set ${secret} = set_byte(${secret}, 3, get_byte(${secret}, 3) # 1) where phone_number_id = $1`,
        [access.phone_number_id],
      );
      const { status, body } = await admin.at('POST', `/channels/${id}/checks`);
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/access_token'], JSON.stringify(body));
    }
  });

  it('is kept when the workspace file names the number with other values', async () => {
    const { access, connected } = await connect();
    const { phone_number_id, waba_id } = access;
    const file = { phone_number_id, waba_id, name: 'File', access_token: 'old', app_secret: access.app_secret };
    const { status, body } = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      channels: [{ ...file, verify_token: 'old' }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    const kept = body.kept.filter((one: AnyJson) => one.channel === phone_number_id);
    assert.deepEqual(
      kept.map(({ member }: AnyJson) => member),
      ['name', 'access_token', 'verify_token'],
    );
    assert.ok(!JSON.stringify(kept).includes(access.access_token));
    const { data } = (await admin.at('GET', '/channel-states')).body;
    const state = data.find((one: AnyJson) => one.channel.id === connected.state.channel.id);
    assert.deepEqual([state.channel.name, state.version], ['Support', connected.state.version]);
  });
});
