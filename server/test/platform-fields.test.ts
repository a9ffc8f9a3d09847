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
