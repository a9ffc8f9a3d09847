import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postNotification,
  postSigned,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';

// What the platform reports of the business itself, and of groups (platform-2026, rows 10, 15 and 17).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });

type Json = Record<string, unknown>;
const phone = { display_phone_number: '96880000001' };

async function postAccount(field: string, time: number, value: Json): Promise<void> {
  const entry = [{ id: workspace.waba_id, time, changes: [{ field, value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  assert.equal((await postSigned(majlis, body, workspace.app_secret)).status, 200);
}

async function postShuffled(reports: (() => Promise<void>)[], check: () => Promise<void>): Promise<void> {
  const random = seededRandom();
  for (let round = 0; round < 5; round++) {
    const twice = [...reports, ...reports].map((report) => ({ report, place: random.next() }));
    for (const { report } of twice.toSorted((a, b) => a.place - b.place)) {
      await report();
      await untilNotificationsProcessed(majlis);
    }
    await check();
  }
}

const stateOf = async () => (await admin.at('GET', '/channel-states')).body.data[0];

it('the username of the business is shown with its state, the latest in any order', async () => {
  await postNotification(majlis, workspace, { messages: [platformText(newDigits(), 'Hi')] });
  await majlis.sql(`update channels set display_phone = '+968 8000 0001' where phone_number_id = $1`, [
    workspace.phone_number_id,
  ]);
  const other = { display_phone_number: '96880000009', username: 'another', status: 'active' };
  const reports = [
    () => postAccount('business_username_update', 100, { ...phone, username: 'shop', status: 'RESERVED' }),
    () => postAccount('business_username_update', 200, { ...phone, username: 'shop', status: 'ACTIVE' }),
    () => postAccount('business_username_update', 300, other),
  ];
  await postShuffled(reports, async () => {
    assert.deepEqual((await stateOf()).username, { name: 'shop', status: 'active' });
  });
  await postAccount('business_username_update', 400, { ...phone, username: 'shop', status: 'deleted' });
  await untilNotificationsProcessed(majlis);
  assert.equal((await stateOf()).username, undefined);
});

it('the tiers of prices by volume are shown with the fees, the latest of each category in any order', async () => {
  const reached = (tier_update_time: number, tier: string, pricing_category = 'UTILITY') => ({
    event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
    volume_tier_info: { tier_update_time, tier, pricing_category, effective_month: '2026-11', region: 'Oman' },
  });
  const reports = [
    () => postAccount('account_update', 10, reached(100, '1000001:5000000')),
    () => postAccount('account_update', 10, reached(200, '5000001:MAX')),
    () => postAccount('account_update', 10, reached(100, '1:1000000', 'AUTHENTICATION')),
  ];
  await postShuffled(reports, async () => {
    const { volume_tiers } = (await admin.at('GET', '/fees?from=2026-11-01&to=2026-11-02')).body;
    const of = { waba_id: workspace.waba_id, region: 'Oman', effective_month: '2026-11' };
    const at = (seconds: number) => ({ updated_at: new Date(seconds * 1000).toISOString() });
    assert.deepEqual(volume_tiers, [
      { ...of, category: 'authentication', from_count: 1, to_count: 1_000_000, ...at(100) },
      { ...of, category: 'utility', from_count: 5_000_001, ...at(200) },
    ]);
  });
});

it('of two tiers that are reached in one second the higher one is shown, and a new month begins anew', async () => {
  const reached = (pricing_category: string, tier: string, effective_month: string) => ({
    event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
    volume_tier_info: { tier_update_time: 300, tier, pricing_category, effective_month, region: 'Jordan' },
  });
  const reports = [
    () => postAccount('account_update', 300, reached('UTILITY', '5000001:25000000', '2026-11')),
    () => postAccount('account_update', 300, reached('UTILITY', '25000001:MAX', '2026-11')),
    () => postAccount('account_update', 300, reached('MARKETING', '25000001:MAX', '2026-11')),
    () => postAccount('account_update', 300, reached('MARKETING', '1:1000000', '2026-12')),
  ];
  await postShuffled(reports, async () => {
    const { volume_tiers } = (await admin.at('GET', '/fees?from=2026-11-01&to=2026-11-02')).body;
    const shown = volume_tiers.filter(({ region }: Json) => region === 'Jordan');
    assert.deepEqual(
      shown.map(({ category, from_count }: Json) => [category, from_count]),
      [
        ['marketing', 1],
        ['utility', 25_000_001],
      ],
    );
  });
});

it('a tier whose report names days ahead, or no time, counts at the time of its report', async () => {
  const now = Math.floor(Date.now() / 1000);
  const reached = (pricing_category: string, tier: string, tier_update_time?: number) => ({
    event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
    volume_tier_info: { tier_update_time, tier, pricing_category, effective_month: '2026-11', region: 'Qatar' },
  });
  const tierOf = async (category: string) => {
    await untilNotificationsProcessed(majlis);
    const { volume_tiers } = (await admin.at('GET', '/fees?from=2026-11-01&to=2026-11-02')).body;
    return volume_tiers.find((one: Json) => one.region === 'Qatar' && one.category === category)?.from_count;
  };
  for (const [category, time] of [
    ['utility', now],
    ['service', now + 3 * 86_400],
  ] as const) {
    await postAccount('account_update', time, reached(category, '1:1000000', now + 3 * 86_400));
    assert.equal(await tierOf(category), 1, category);
    await postAccount('account_update', now + 60, reached(category, '1000001:5000000', now + 60));
    assert.equal(await tierOf(category), 1_000_001, category);
  }
  await postAccount('account_update', now, reached('referral', '1:1000000'));
  assert.equal(await tierOf('referral'), 1);
});

it('what happens in a group reaches no conversation of one of its people, and is counted for administrators', async () => {
  const digits = newDigits();
  const group_id = 'group-1';
  const post = (value: Json, field?: string) => postNotification(majlis, workspace, value, field);
  const contacts = [{ profile: { name: 'Muna' }, wa_id: digits }];
  await post({ contacts, messages: [platformText(digits, 'To the group', { group_id })] });
  await post({ standby: { contacts, messages: [platformText(digits, 'To the group', { group_id })] } }, 'standby');
  const echo = { ...platformText('96880000001', 'To the group', { group_id }), to: digits };
  await post({ message_echoes: [echo] }, 'smb_message_echoes');
  const ofGroup = { recipient_type: 'group', recipient_id: group_id, recipient_participant_id: digits };
  await post({ statuses: [platformStatus('wamid.group', 'delivered', ofGroup)] });
  await post({ statuses: [platformStatus('wamid.group', 'read', { ...ofGroup, recipient_type: undefined })] });
  const toGroup = { recipient_type: 'group', to: '120363040468217' };
  const echoToGroup = { ...platformText('96880000001', 'To the group', toGroup) };
  await post({ message_echoes: [echoToGroup] }, 'smb_message_echoes');
  await post({ contacts, messages: [platformText(digits, 'To the group', toGroup)] });
  const call = {
    id: 'wacid.group',
    from: digits,
    event: 'connect',
    direction: 'USER_INITIATED',
    timestamp: '1',
    group_id,
  };
  await post({ contacts, calls: [call] }, 'calls');
  const rejected = { id: 'wacid.group', status: 'REJECTED', timestamp: '1', ...ofGroup };
  await post({ statuses: [rejected] }, 'calls');
  await untilNotificationsProcessed(majlis);
  for (const people of [digits, toGroup.to]) {
    assert.deepEqual((await workspace.api.get(`/contacts?q=${people}`)).body.data, []);
  }
  const { counts } = (await admin.at('GET', '/platform-notices')).body;
  const told = counts.flatMap(({ reason, count }: Json) =>
    (reason as string).endsWith('of a group') ? [[reason, count]] : [],
  );
  assert.deepEqual(told.toSorted(), [
    ['call of a group', 1],
    ['echo of a group', 2],
    ['message of a group', 1],
    ['message of a group', 2],
    ['status of a call of a group', 1],
    ['status of a group', 2],
  ]);
});
