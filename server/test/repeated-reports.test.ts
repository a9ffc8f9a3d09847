import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postSigned,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';
import type { PlatformItem } from '../src/platform/items.ts';

// The platform answers sends alone: nothing that it would list or return can repair what a report has changed.
const platform = await startScriptedPlatform();
const majlis = await startTestService({ env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });

type Json = Record<string, unknown>;

/** One workspace with a customer and a message to them that the platform has accepted. */
interface Scene {
  workspace: TestWorkspace;
  customer: string;
  wamid: string;
  /** A time of the platform, in seconds. */
  time: number;
}

/** A report, or another action that is newer than the report before. */
type Act = { field: string; time: number; value: Json } | (() => Promise<unknown>);

const reachedTier = (tier: string, tier_update_time: number): Json => ({
  event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
  volume_tier_info: {
    ...{ tier, tier_update_time, pricing_category: 'UTILITY' },
    effective_month: '2026-11',
    region: 'Oman',
  },
});
const template = { message_template_id: 1_234, message_template_name: 'order_update', message_template_language: 'en' };
const number = { display_phone_number: '96880000001' };
const metadata = ({ workspace }: Scene) => ({ metadata: { ...number, phone_number_id: workspace.phone_number_id } });

const account = (field: string, older: Json, newer: Json) => (scene: Scene) =>
  [older, newer].map((value, n) => ({ field, time: scene.time + n, value }));
const customers = (scene: Scene, field: string, ...values: Json[]): Act[] =>
  values.map((value, n) => ({ field, time: scene.time + n, value: { ...metadata(scene), ...value } }));
const preference = (scene: Scene, n: number, value: string): Json => {
  const choice = { wa_id: scene.customer, detail: '', category: 'marketing_messages', value };
  return { user_preferences: [{ ...choice, timestamp: scene.time + n }] };
};
const optIn =
  ({ workspace, customer }: Scene) =>
  () =>
    workspace.api.post('/contacts', {
      identities: [{ channel_type: 'chatapp', identifier: `+${customer}` }],
      consents: { chatapp_marketing: true },
    });
const status = (scene: Scene, n: number, name: string, more: Json): Json => ({
  statuses: [
    platformStatus(scene.wamid, name, { timestamp: String(scene.time + n), recipient_id: scene.customer, ...more }),
  ],
});
const pricing = (category: string) => ({
  pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category },
});
const text = (scene: Scene, n: number, name: string): Json => ({
  contacts: [{ profile: { name }, wa_id: scene.customer }],
  messages: [platformText(scene.customer, name, { timestamp: String(scene.time + n) })],
});
const edit = (scene: Scene, n: number, body: string): Json => ({
  messages: [
    platformText(scene.customer, '', {
      ...{ timestamp: String(scene.time + n), type: 'edit', text: undefined },
      edit: { original_message_id: scene.wamid, message: { type: 'text', text: { body } } },
    }),
  ],
});
const echo = (scene: Scene, n: number): Json => ({
  message_echoes: [{ ...platformText('96880000001', 'Hi', { timestamp: String(scene.time + n) }), to: scene.customer }],
});
const shared = (scene: Scene, n: number, body: string): Json => {
  const messages = [platformText(scene.customer, body, { timestamp: String(scene.time - 86_400 + n) })];
  return { history: [{ metadata: { phase: 0 }, threads: [{ id: scene.customer, messages }] }] };
};
const address = (scene: Scene, n: number, full_name: string): Json => ({
  state_sync: [
    {
      ...{ type: 'contact', action: 'add', contact: { full_name, phone_number: scene.customer } },
      metadata: { timestamp: String(scene.time + n) },
    },
  ],
});
const called = (scene: Scene, n: number, event: string, more: Json): Json => {
  const call = { id: 'wacid.1', from: scene.customer, to: '96880000001', direction: 'USER_INITIATED' };
  return { calls: [{ ...call, event, timestamp: String(scene.time + n), ...more }] };
};
const clicked = (scene: Scene, n: number): Json => ({
  contacts: [{ wa_id: scene.customer }],
  user_actions: [
    {
      ...{ action_type: 'marketing_messages_link_click', timestamp: String(scene.time + n) },
      marketing_messages_link_click_data: { click_id: `click ${n}`, click_component: 'cta' },
    },
  ],
});
const paid = (scene: Scene, n: number, state: string): Json => ({
  statuses: [
    {
      ...{ id: scene.wamid, recipient_id: scene.customer, type: 'payment', status: state },
      ...{ timestamp: String(scene.time + n), payment: { reference_id: 'order-7', status: state } },
    },
  ],
});
const removeName = ({ workspace, customer }: Scene): Promise<unknown> =>
  majlis.sql(
    `update contacts c set name = null from contact_identities i
     where c.workspace_id = $1 and i.workspace_id = c.workspace_id and i.contact_id = c.id and i.wa_id = $2`,
    [parseId('workspace', workspace.id), customer],
  );
const handover = (scene: Scene, n: number, type: string): Json => ({
  ...{ type, sender: { phone_number: scene.customer }, timestamp: scene.time + n },
  [type]: { previous_owner_app_role: type === 'control_passed' ? 'meta_business_agent' : 'partner_app' },
});
const moved = (scene: Scene, n: number, from: string, wa_id: string): Json => ({
  messages: [
    {
      from,
      id: `wamid.${n}.${randomUUID()}`,
      timestamp: String(scene.time + n),
      type: 'system',
      system: { type: 'user_changed_number', wa_id },
    },
  ],
});

/**
 * For each kind of item, pairs of an older report and a newer act. A new kind of item needs a pair here, unless it states nothing and
 * only has the platform read.
 */
const pairs: Record<Exclude<PlatformItem['type'], 'ignored' | 'template_change'>, ((scene: Scene) => Act[])[]> = {
  message: [(scene) => customers(scene, 'messages', text(scene, 0, 'Old'), text(scene, 1, 'New'))],
  echo: [(scene) => customers(scene, 'smb_message_echoes', echo(scene, 0), echo(scene, 1))],
  imported: [(scene) => customers(scene, 'history', shared(scene, 0, 'Old'), shared(scene, 1, 'New'))],
  history_progress: [
    (scene) => {
      const at = (progress: number) => ({ history: [{ metadata: { phase: 1, progress }, threads: [] }] });
      return customers(scene, 'history', at(40), at(60));
    },
  ],
  address: [
    (scene) => customers(scene, 'smb_app_state_sync', address(scene, 0, 'Old name'), address(scene, 1, 'New name')),
  ],
  call: [
    (scene) =>
      customers(scene, 'calls', called(scene, 0, 'connect', {}), called(scene, 1, 'terminate', { duration: 5 })),
  ],
  click: [(scene) => customers(scene, 'messages', clicked(scene, 0), clicked(scene, 1))],
  payment: [(scene) => customers(scene, 'messages', paid(scene, 0, 'pending'), paid(scene, 1, 'captured'))],
  handover: [
    (scene) =>
      customers(
        scene,
        'messaging_handovers',
        handover(scene, 0, 'control_taken'),
        handover(scene, 1, 'control_passed'),
      ),
  ],
  revision: [
    (scene) => [
      ...customers(scene, 'messages', text(scene, 0, 'First')),
      ...customers(scene, 'messages', edit(scene, 1, 'Second'), edit(scene, 2, 'Third')),
    ],
  ],
  status: [
    (scene) =>
      customers(
        scene,
        'messages',
        status(scene, 0, 'sent', pricing('marketing')),
        status(scene, 1, 'sent', pricing('utility')),
      ),
    (scene) =>
      customers(scene, 'messages', status(scene, 0, 'sent', {}), status(scene, 1, 'read', pricing('marketing'))),
    (scene) => [
      ...customers(scene, 'messages', status(scene, 0, 'failed', { errors: [{ code: 131_050, title: 'Stopped' }] })),
      optIn(scene),
    ],
    (scene) => {
      const errors = [{ code: 131_050, title: 'Stopped' }];
      return [...customers(scene, 'messages', status(scene, 0, 'failed', { errors, timestamp: '' })), optIn(scene)];
    },
  ],
  user_preference: [
    (scene) => customers(scene, 'user_preferences', preference(scene, 0, 'stop'), preference(scene, 1, 'resume')),
    (scene) => customers(scene, 'user_preferences', preference(scene, 0, 'resume'), preference(scene, 1, 'stop')),
    (scene) => [...customers(scene, 'user_preferences', preference(scene, 0, 'stop')), optIn(scene)],
  ],
  template_status: [
    account('message_template_status_update', { ...template, event: 'PAUSED' }, { ...template, event: 'APPROVED' }),
    account(
      'message_template_status_update',
      { ...template, event: 'REJECTED', reason: 'SCAM' },
      { ...template, event: 'DELETED' },
    ),
  ],
  template_quality: [
    account(
      'message_template_quality_update',
      { ...template, new_quality_score: 'GREEN' },
      { ...template, new_quality_score: 'RED' },
    ),
  ],
  template_category: [
    account(
      'template_category_update',
      { ...template, new_category: 'UTILITY' },
      { ...template, new_category: 'MARKETING' },
    ),
    account(
      'template_category_update',
      { ...template, new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: 2_000_000_000 },
      { ...template, new_category: 'UTILITY', correct_category: 'UTILITY' },
    ),
  ],
  number_quality: [
    account(
      'phone_number_quality_update',
      { ...number, event: 'UPGRADE', current_limit: 'TIER_10K' },
      { ...number, event: 'DOWNGRADE', current_limit: 'TIER_1K' },
    ),
    (scene) => [
      ...account(
        'phone_number_quality_update',
        { ...number, event: 'UPGRADE', current_limit: 'TIER_10K' },
        {},
      )(scene).slice(0, 1),
      ...account('business_capability_update', {}, { max_daily_conversations_per_business: 'TIER_2K' })(scene).slice(1),
    ],
  ],
  capability: [
    account(
      'business_capability_update',
      { max_daily_conversations_per_business: 'TIER_100K' },
      { max_daily_conversations_per_business: 'TIER_2K' },
    ),
  ],
  number_name: [
    account(
      'phone_number_name_update',
      { ...number, decision: 'APPROVED', requested_verified_name: 'Old' },
      { ...number, decision: 'APPROVED', requested_verified_name: 'New' },
    ),
  ],
  business_username: [
    account(
      'business_username_update',
      { ...number, username: 'shop', status: 'reserved' },
      { ...number, username: 'shop', status: 'active' },
    ),
  ],
  volume_tier: [account('account_update', reachedTier('1000001:5000000', 100), reachedTier('5000001:10000000', 200))],
  account: [account('account_update', { event: 'ACCOUNT_RESTRICTION' }, { event: 'ACCOUNT_RECONNECTED' })],
  identity_change: [
    (scene) => {
      const next = newDigits();
      const [there, back] = [moved(scene, 0, scene.customer, next), moved(scene, 1, next, scene.customer)];
      return customers(scene, 'messages', there, back);
    },
    (scene) => {
      const [second, third] = [newDigits(), newDigits()];
      return [
        ...customers(scene, 'messages', moved(scene, 0, scene.customer, second)),
        async () => {
          const change = moved(scene, 1, second, third);
          await post(scene, { field: 'messages', time: scene.time + 1, value: { ...metadata(scene), ...change } });
          // Another person has the first number now.
          await receiveText(majlis, scene.workspace, scene.customer);
        },
      ];
    },
  ],
};

async function setScene(): Promise<Scene> {
  const workspace = await majlis.workspace({
    wallet: { balance_minor: 500_000, currency: 'OMR', prices: { marketing: 25, utility: 8 } },
  });
  const customer = newDigits();
  platform.script(acceptSend);
  const id = await sendText(workspace, await receiveText(majlis, workspace, customer));
  const wamid = await eventually(
    async () => platform.wamids.get(id),
    (known) => known !== undefined,
  );
  return { workspace, customer, wamid: wamid!, time: Math.floor(Date.now() / 1000) + 10 };
}

async function post({ workspace }: Scene, { field, time, value }: Exclude<Act, () => unknown>): Promise<void> {
  const entry = [{ id: workspace.waba_id, time, changes: [{ field, value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  assert.equal((await postSigned(majlis, body, workspace.app_secret)).status, 200);
  await untilNotificationsProcessed(majlis);
}

const perform = (scene: Scene, act: Act) => (typeof act === 'function' ? act() : post(scene, act));

const tables = [
  ...['templates', 'template_reviews', 'deleted_templates', 'channels', 'contacts', 'contact_identities'],
  ...[
    'address_book_entries',
    'volume_tiers',
    'contact_former_names',
    'conversation_changes',
    'conversations',
    'messages',
    'wallets',
    'ledger_entries',
    'events',
  ],
];

/** All that the platform's reports can change. */
async function readAll({ workspace }: Scene): Promise<Record<string, unknown[]>> {
  const read = async (table: string) => {
    const rows = await majlis.sql<{ row: unknown }>(
      `select to_json(t) as row from ${table} t where workspace_id = $1 order by t::text`,
      [parseId('workspace', workspace.id)],
    );
    return [table, rows.map(({ row }) => row)] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(read)));
}

for (const [kind, scripts] of Object.entries(pairs)) {
  for (const [n, script] of scripts.entries()) {
    it(`a report of the kind ${kind} changes nothing when it is repeated after a newer one (${n + 1})`, async () => {
      const scene = await setScene();
      if (kind === 'address') await removeName(scene);
      const [older, newer] = script(scene);
      const untouched = await readAll(scene);
      await perform(scene, older!);
      if (kind !== 'account') assert.notDeepEqual(await readAll(scene), untouched);
      await perform(scene, newer!);
      const before = await readAll(scene);
      await perform(scene, older!);
      assert.deepEqual(await readAll(scene), before);
    });
  }
}
