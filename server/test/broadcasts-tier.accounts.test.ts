import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { postSigned, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

// The numbers of an account share its messaging tier (platform-2026, row 14).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { create, untilCounts, untilIdle, contact, setTier, now } = createBroadcastClient(majlis);
const params = ['a', 'b'];
const three = () => Array.from({ length: 3 }, () => ({ to: newDigits(), params }));

interface Account {
  workspace: TestWorkspace;
  /** The channels of its two numbers. */
  channels: [string, string];
  second: { phone_number_id: string; display_phone: string };
}

/** Adds a number of an account to the workspace. */
async function addNumber({ applied, app_secret }: TestWorkspace, waba_id: string) {
  const second = { phone_number_id: `45${newDigits()}`, display_phone: `+${newDigits()}` };
  const number = { ...second, waba_id, access_token: `token-${newDigits()}`, verified_name: 'Acme' };
  const callback_url = `${majlis.url}/platform/chatapp/webhook`;
  majlis.simulator.addNumber({ ...number, webhook: { callback_url, app_secret, verify_token: 'v' } });
  const channel = { type: 'chatapp', app_secret, verify_token: 'v', messaging_tier: 1000, ...number };
  const file = { workspace: { name: applied.workspace.name }, channels: [channel] };
  const { status, body } = await majlis.operator('PUT', '/workspaces', file);
  assert.equal(status, 200);
  return { second, channel_id: body.channels[0].id as string };
}

async function open(): Promise<Account> {
  const workspace = await majlis.workspace();
  const { second, channel_id } = await addNumber(workspace, workspace.waba_id);
  return { workspace, second, channels: [workspace.channel_id, channel_id] };
}

const tiersOf = ({ waba_id }: TestWorkspace) =>
  majlis.sql<{ messaging_tier: number | null }>('select messaging_tier from channels where waba_id = $1', [waba_id]);
/** Sets the tier at the platform, which reports it. */
async function limit({ workspace }: Account, tier: number): Promise<void> {
  await setTier(workspace, tier);
  await eventually(
    () => tiersOf(workspace),
    (rows) => rows.every(({ messaging_tier }) => messaging_tier === tier),
  );
}

async function countSent(ids: readonly string[]): Promise<number> {
  await untilIdle();
  const broadcasts = ids.map((id) => parseId('broadcast', id));
  return (await majlis.sql('select from messages where broadcast_id = any ($1)', [broadcasts])).length;
}

describe('the messaging tier of an account', () => {
  it('is shared by the broadcasts of its numbers', async () => {
    const account = await open();
    await limit(account, 2);
    const ids = [];
    for (const channel_id of account.channels) {
      ids.push((await create(account.workspace, { recipients: three() }, { channel_id })).id);
      assert.equal(await countSent(ids), 2);
    }
  });

  it('counts a customer of both numbers once', async () => {
    const account = await open();
    await limit(account, 2);
    const [first, second] = account.channels;
    const to = newDigits();
    const sent = await account.workspace.api.post('/messages', { ...templateMessage, channel_id: first, to: `+${to}` });
    assert.equal(sent.status, 201);
    const recipients = [newDigits(), newDigits(), to].map((number) => ({ to: number, params }));
    const { id } = await create(account.workspace, { recipients }, { channel_id: second });
    // The customer of the first number needs no second place.
    await untilCounts(account.workspace, id, { read: 2, queued: 1 });
    assert.equal(await countSent([id]), 2);
  });

  it('keeps one place for an erased customer of both numbers', async () => {
    const account = await open();
    await limit(account, 2);
    const to = newDigits();
    const contact_id = await contact(account.workspace, to);
    for (const channel_id of account.channels) {
      const { id } = await create(account.workspace, { recipients: [{ to, params }] }, { channel_id });
      await untilCounts(account.workspace, id, { read: 1 });
    }
    assert.equal((await account.workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const { id } = await create(account.workspace, { recipients: three() }, { channel_id: account.channels[1] });
    await untilCounts(account.workspace, id, { read: 1, queued: 2 });
    assert.equal(await countSent([id]), 1);
  });

  it('is held by broadcasts of both numbers that look at the same moment', async () => {
    const account = await open();
    const { workspace, channels } = account;
    const other = await majlis.another();
    await limit(account, 3);
    const send_at = new Date((await now()) + 60_000).toISOString();
    const ids: string[] = [];
    for (const channel_id of channels) {
      ids.push((await create(workspace, { recipients: three() }, { channel_id, send_at })).id);
    }
    await whileHeld(majlis, `select from channels where waba_id = '${workspace.waba_id}' for update`, async () => {
      await majlis.advance(60);
      await untilWaiting(majlis, 2, ['insert into conversations', 'broadcasts.tier']);
    });
    assert.equal(await countSent(ids), 3);
    await other.stop();
  });

  it('is that of no other account', async () => {
    const account = await open();
    const { workspace } = account;
    await limit(account, 2);
    const waba_id = `35${newDigits()}`;
    const { channel_id } = await addNumber(workspace, waba_id);
    const name = 'order_update';
    await majlis.sql(
      `insert into templates (workspace_id, id, waba_id, name, language, category, components, status, updated_at)
       select workspace_id, gen_random_uuid(), $2, name, language, category, components, status, updated_at
       from templates where waba_id = $1 and name = $3`,
      [workspace.waba_id, waba_id, name],
    );
    const ids = [(await create(workspace, { recipients: three() }, { channel_id: account.channels[0] })).id];
    assert.equal(await countSent(ids), 2);
    ids.push((await create(workspace, { recipients: three() }, { channel_id })).id);
    assert.equal(await countSent(ids), 5);
  });

  it('follows the latest report on any of its numbers, in any order', async () => {
    const { workspace, second } = await open();
    // The reports alone tell the tier: no number can be read.
    for (const id of [workspace.phone_number_id, second.phone_number_id]) {
      await callControl(majlis, 'PATCH', `/numbers/${id}`, { token_expired: true });
    }
    const begin = Math.floor(Date.now() / 1000) - 1000;
    const report = async (seconds: number, field: string, value: object) => {
      const entry = [{ id: workspace.waba_id, time: begin + seconds, changes: [{ field, value }] }];
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
      assert.equal((await postSigned(majlis, body, workspace.app_secret)).status, 200);
      await untilNotificationsProcessed(majlis);
      return (await tiersOf(workspace)).map(({ messaging_tier }) => messaging_tier);
    };
    const ofNumber = (display_phone: string, tier: string) => ({
      display_phone_number: display_phone.replaceAll(/\D/g, ''),
      event: 'ONBOARDING',
      max_daily_conversations_per_business: tier,
    });
    const [quality, capability] = ['phone_number_quality_update', 'business_capability_update'];
    assert.deepEqual(await report(20, quality, ofNumber(second.display_phone, 'TIER_10K')), [10_000, 10_000]);
    assert.deepEqual(await report(10, quality, ofNumber('+96880000001', 'TIER_250')), [10_000, 10_000]);
    const limits = { max_daily_conversations_per_business: 'TIER_2K' };
    assert.deepEqual(await report(30, capability, limits), [2000, 2000]);
    assert.deepEqual(await report(25, quality, ofNumber(second.display_phone, 'TIER_100K')), [2000, 2000]);
  });
});
