import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { webhookFields } from '../src/platform/webhook/fields.ts';

// What the platform reports beyond what is applied: kept, counted, told (platform-2026, the rule for all rows).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();

/** Named on the platform's pages of 2026. */
const fieldsOfThePlatform = [
  ...['messages', 'standby', 'messaging_handovers', 'calls', 'history', 'smb_app_state_sync', 'smb_message_echoes'],
  ...['group_lifecycle_update', 'group_participants_update', 'group_settings_update', 'group_status_update'],
  ...['message_template_status_update', 'message_template_quality_update', 'message_template_components_update'],
  'template_correct_category_detection',
  ...['template_category_update', 'phone_number_quality_update', 'phone_number_name_update', 'user_preferences'],
  ...['business_capability_update', 'account_update', 'account_alerts', 'account_review_update', 'security', 'flows'],
  ...['payment_configuration_update', 'partner_solutions', 'business_username_update'],
];

const notices = async () => {
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  return (await admin.at('GET', '/platform-notices')).body;
};
const counter = async (field: string) => {
  const page = await (await fetch(`${majlis.url}/metrics`)).text();
  return Number(new RegExp(`majlis_platform_unapplied_total\\{field="${field}"\\} (\\d+)`).exec(page)?.[1] ?? 0);
};

it('every field of the platform is in the catalogue, and docs/platform.md shows it', async () => {
  const missing = fieldsOfThePlatform.filter((field) => !Object.hasOwn(webhookFields, field));
  assert.deepEqual(missing, []);
  const page = await readFile(new URL('../../docs/platform.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \|$/gm)].map(([, ...row]) => row);
  assert.deepEqual(
    rows,
    Object.entries(webhookFields).map(([field, { handling, about }]) => [field, handling, about]),
  );
});

it('each field that is not applied is kept as it came, counted, told once an hour, and shown to administrators', async () => {
  const stored = Object.entries(webhookFields).filter(([, { handling }]) => handling !== 'handled');
  const unknown = 'field_of_tomorrow';
  for (const field of [...stored.map(([name]) => name), unknown, unknown]) {
    await postNotification(majlis, workspace, { event: `Mark of ${field}` }, field);
  }
  await untilNotificationsProcessed(majlis);
  const { counts, data } = await notices();
  for (const [field] of stored) {
    assert.ok(
      data.some((one: { field: string; raw: string }) => one.field === field && one.raw.includes(`Mark of ${field}`)),
      field,
    );
    assert.equal(await counter(field), 1, field);
  }
  assert.equal(counts.find((one: { field: string }) => one.field === unknown).count, 2);
  assert.equal(await counter('other'), 2);
  const told = majlis.log.filter((line) => line.includes('does not apply') && line.includes(unknown));
  assert.equal(told.length, 1);
  assert.equal(JSON.parse(told[0]!).level, 'info');
});

const noticesWith = async (mark: string): Promise<{ field: string; reason: string; raw: string }[]> =>
  (await notices()).data.filter(({ raw }: { raw: string }) => raw.includes(mark));

it('an unknown member of a value is kept, counted and told, alone and beside what is read', async () => {
  const digits = newDigits();
  const beside: [string, Record<string, unknown>][] = [
    ['messages', { messages: [platformText(digits, 'Beside')] }],
    ['standby', { standby: { messages: [platformText(digits, 'Held')] } }],
    ['calls', { calls: [] }],
    ['smb_message_echoes', { message_echoes: [] }],
    ['user_preferences', { user_preferences: [] }],
    ['smb_app_state_sync', { state_sync: [] }],
    ['history', { history: [{ metadata: { phase: 0, chunk_order: 1, progress: 10 }, threads: [] }] }],
  ];
  for (const [field, value] of beside) {
    const before = await counter(field);
    const [alone, together] = [`alone ${field}`, `beside ${field}`];
    await postNotification(majlis, workspace, { contacts: [], errors: [], brand_new_members: [{ a: alone }] }, field);
    await postNotification(majlis, workspace, { ...value, brand_new_member: { a: together } }, field);
    await untilNotificationsProcessed(majlis);
    assert.equal((await counter(field)) - before, 2, field);
    const kept = [...(await noticesWith(alone)), ...(await noticesWith(together))];
    assert.deepEqual(
      kept.map((one) => [one.field, one.reason, JSON.parse(one.raw)]),
      [
        [field, 'member brand_new_members', { brand_new_members: [{ a: alone }] }],
        [field, 'member brand_new_member', { brand_new_member: { a: together } }],
      ],
    );
  }
  await postNotification(majlis, workspace, { messages: [platformText(digits, 'Known')], statuses: [] });
  await untilNotificationsProcessed(majlis);
  const id = (await workspace.api.get('/conversations?limit=1')).body.data[0].id;
  const bodies = (await workspace.api.get(`/conversations/${id}/messages`)).body.data.map(
    ({ body }: { body: string }) => body,
  );
  assert.deepEqual(bodies, ['Beside', 'Held', 'Known']);
  assert.deepEqual(await noticesWith('Known'), []);
});

it('a known member of an unknown shape is kept too', async () => {
  const said = (mark: string) => [{ messages: [platformText(newDigits(), mark)] }];
  const odd: [string, string, Record<string, unknown>][] = [
    ['messages', 'messages', { messages: { 0: 'Odd list' } }],
    ['standby', 'standby', { standby: said('Odd list') }],
    ['standby', 'brand_new_members', { standby: { brand_new_members: ['Odd list'] } }],
    ['history', 'history', { history: { threads: 'Odd list' } }],
    ['history', 'history', { history: [{ brand_new_members: ['Odd list'] }] }],
    ['history', 'history', { history: [{ threads: [{ id: '9689', brand_new_members: ['Odd list'] }] }] }],
    ['smb_app_state_sync', 'state_sync', { state_sync: { 0: 'Odd list' } }],
  ];
  for (const [field, , value] of odd) await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
  assert.deepEqual(
    (await noticesWith('Odd list')).map(({ field, reason }) => `${field} ${reason}`).toSorted(),
    odd.map(([field, member]) => `${field} member ${member}`).toSorted(),
  );
});

it('an unknown member of a notification of many customers and many messages is kept once', async () => {
  const many = newDigits();
  const messages = [
    ...Array.from({ length: 250 }, (_, n) => platformText(many, `Many ${n}`)),
    ...Array.from({ length: 3 }, () => platformText(newDigits(), 'Few')),
  ];
  const before = await counter('messages');
  const brand_new_members = Array.from({ length: 150 }, (_, n) => ({
    from: messages[n + 103]!.from,
    mark: 'Just once',
  }));
  await postNotification(majlis, workspace, { messages, brand_new_members, brand_new_member: { mark: 'Just once' } });
  await untilNotificationsProcessed(majlis);
  const kept = (await noticesWith('Just once')).map(({ raw }) => JSON.parse(raw));
  assert.equal(kept.length, 2);
  assert.deepEqual(
    kept.find((one) => one.brand_new_members),
    { brand_new_members },
  );
  assert.equal((await counter('messages')) - before, 2);
  const [stored] = await majlis.sql<{ count: number }>(
    `select count(*)::int as count from messages where body like 'Many %' or body = 'Few'`,
  );
  assert.equal(stored!.count, 253);
});

it('an unknown type of message stands in the conversation with its type, and a group’s stands in none', async () => {
  const digits = newDigits();
  const id = await receiveText(majlis, workspace, digits);
  const odd = { ...platformText(digits, ''), type: 'hologram', hologram: { id: '1' } };
  const group = { ...platformText(digits, 'To the group'), group_id: 'g1' };
  await postNotification(majlis, workspace, { messages: [odd] });
  await postNotification(majlis, workspace, { messages: [group] });
  await untilNotificationsProcessed(majlis);
  const bodies = await eventually(
    async () =>
      (await workspace.api.get(`/conversations/${id}/messages`)).body.data.map(({ body }: { body: string }) => body),
    (list) => list.length === 2,
  );
  assert.ok(bodies[1].includes('hologram'), bodies[1]);
  const { data } = await notices();
  assert.ok(
    data.some(
      ({ reason, raw }: { reason: string; raw: string }) =>
        reason === 'message of a group' && raw.includes('To the group'),
    ),
  );
  // What names a person goes with the person.
  const { contact_id } = (await workspace.api.get(`/conversations/${id}`)).body;
  assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
  await eventually(notices, (left) => !JSON.stringify(left).includes('To the group'));
});

it('what is kept is for administrators alone', async () => {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  assert.equal((await agent.at('GET', '/platform-notices')).status, 403);
  assertRefused(await workspace.api.get('/platform-notices'), 404);
});
