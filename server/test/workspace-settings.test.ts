import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const never = Array.from({ length: 7 }, () => []);
const always = Array.from({ length: 7 }, () => [{ from: '00:00', until: '00:00' }]);

async function setUp(file: Record<string, unknown> = {}) {
  const workspace = await majlis.workspace(file);
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  const setHours = async (hours: object | null) => {
    const { version } = (await admin.at('GET', '/business-hours')).body;
    return admin.at('PUT', '/business-hours', { version, hours });
  };
  return { workspace, admin, setHours };
}

const write = async (workspace: TestWorkspace, digits: string, text: string) => {
  await postNotification(majlis, workspace, { messages: [platformText(digits, text)] });
  await untilNotificationsProcessed(majlis);
};

describe('a workspace', () => {
  it('is changed by its administrators, and overwrites nothing that another one did', async () => {
    const { workspace, admin } = await setUp();
    const { body: before } = await admin.at('GET', '/settings');
    const change = { version: before.version, name: ' Majan ', country: 'qa', timezone: 'Asia/Qatar', industry: '' };
    const changed = await admin.at('PATCH', '/settings', change);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { name, country, timezone, industry, language } = changed.body.workspace;
    assert.deepEqual([name, country, timezone, industry, language], ['Majan', 'QA', 'Asia/Qatar', undefined, 'ar']);
    assert.equal((await workspace.api.get('/workspace')).body.name, 'Majan');
    const stale = await admin.at('PATCH', '/settings', { version: before.version, name: 'Other' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    for (const [member, value] of [
      ...Object.entries({ country: 'Oman', timezone: 'Mars/Base', name: ' ' }),
      ...['UK', 'XX'].map((country) => ['country', country] as const),
    ]) {
      const refused = await admin.at('PATCH', '/settings', { version: changed.body.version, [member]: value });
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, `/${member}`]);
    }
  });

  it('stays as people changed it when its file, which has the former name, is applied again', async () => {
    const { workspace, admin } = await setUp();
    const { name } = workspace.applied.workspace;
    const { version } = (await admin.at('GET', '/settings')).body;
    await admin.at('PATCH', '/settings', { version, name: 'Zahra', timezone: 'Asia/Dubai' });
    const file = { workspace: { name, timezone: 'Asia/Muscat', plan: 'scale' } };
    const { body: applied } = await majlis.operator('PUT', '/workspaces', file);
    assert.equal(applied.workspace.id, workspace.id);
    assert.deepEqual(applied.kept, [
      { workspace: name, member: 'name', value: 'Zahra', in_file: name },
      { workspace: name, member: 'timezone', value: 'Asia/Dubai', in_file: 'Asia/Muscat' },
    ]);
    assert.equal((await workspace.api.get('/workspace')).body.plan, 'scale');
  });

  it('may have the name that people see in common with another one', async () => {
    const [{ admin }, other] = [await setUp(), await setUp()];
    const { version } = (await admin.at('GET', '/settings')).body;
    const { name } = other.workspace.applied.workspace;
    assert.equal((await admin.at('PATCH', '/settings', { version, name })).status, 200);
    const { body } = await majlis.operator('PUT', '/workspaces', { workspace: { name } });
    assert.equal(body.workspace.id, other.workspace.id);
  });
});

describe('business hours', () => {
  it('are set for each weekday and for closed days, and tell agents of a closed business', async () => {
    const { workspace, admin, setHours } = await setUp();
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const gate = async () => (await admin.at('GET', `/conversations/${conversation_id}/gate`)).body.outside_hours;
    assert.equal(await gate(), undefined);
    const shut = await setHours({ weekly: never, closed_days: [] });
    assert.deepEqual([shut.status, shut.body.open_now], [200, false]);
    assert.deepEqual(await gate(), {});
    const stale = await admin.at('PUT', '/business-hours', { version: 'x', hours: null });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    const open = await setHours({ weekly: always, closed_days: [{ date: '2020-12-18', name: 'National Day' }] });
    assert.equal(open.body.open_now, true);
    assert.equal(await gate(), undefined);
    const wrong = await setHours({ weekly: [[{ from: '10:00', until: '09:00' }], ...never.slice(1)], closed_days: [] });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/hours/weekly/0/0/until']);
    const few = await setHours({ weekly: never.slice(1), closed_days: [] });
    assert.equal(few.status, 422);
    assert.equal((await setHours(null)).body.hours, undefined);
    const [act] = (await admin.at('GET', '/audit')).body.data;
    assert.equal(act.action, 'changeBusinessHours');
  });
});

describe('the away message', () => {
  const text = 'We are closed. We answer tomorrow.';
  const sentTo = async (workspace: TestWorkspace, conversation_id: string): Promise<AnyJson[]> =>
    (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data.filter(
      ({ direction }: AnyJson) => direction === 'outbound',
    );

  it('is sent once in a closed period, and leaves the customer waiting for a reply', async () => {
    const { workspace, admin, setHours } = await setUp();
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    await setHours({ weekly: never, closed_days: [], away_message: text });
    await write(workspace, digits, 'are you there?');
    await write(workspace, digits, 'hello?');
    const [away] = await eventually(
      () => sentTo(workspace, conversation_id),
      (sent) => sent.length === 1 && sent[0].status !== 'queued',
    );
    assert.deepEqual([away.body, away.kind, away.actor_kind], [text, 'text', undefined]);
    await write(workspace, digits, 'hello again?');
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'messages.answer_away'`),
      (jobs) => jobs.length === 0,
    );
    assert.equal((await sentTo(workspace, conversation_id)).length, 1);
    const { body } = await admin.at('GET', `/conversations/${conversation_id}`);
    assert.equal(body.unread_count, 4);
    assert.equal((await workspace.api.get('/analytics/overview')).body.unreplied, 1);
  });

  it('is not sent by a business that is open, has none, or has answered', async () => {
    const { workspace, admin, setHours } = await setUp();
    const settled = () =>
      eventually(
        () => majlis.sql(`select from jobs where kind = 'messages.answer_away'`),
        (jobs) => jobs.length === 0,
      );
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    await setHours({ weekly: always, closed_days: [], away_message: text });
    await write(workspace, digits, 'open?');
    await setHours({ weekly: never, closed_days: [] });
    await write(workspace, digits, 'anybody?');
    await settled();
    assert.deepEqual(await sentTo(workspace, conversation_id), []);
    // A bot that answers by itself is in control.
    await setHours({ weekly: never, closed_days: [], away_message: text });
    await majlis.sql(`update conversations set controller = 'bot' where workspace_id is not null`);
    await write(workspace, digits, 'bot?');
    await settled();
    assert.deepEqual(await sentTo(workspace, conversation_id), []);
    assert.equal((await admin.at('GET', '/business-hours')).body.hours.away_message, text);
  });

  it('is not sent again in a closed period during which the clocks go back', async () => {
    const { workspace, setHours } = await setUp({ workspace: { name: 'Berlin', timezone: 'Europe/Berlin' } });
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const weekly = [[{ from: '02:15', until: '02:30' }], ...never.slice(1)];
    await setHours({ weekly, closed_days: [], away_message: text });
    // The clocks of Berlin go back at 01:00 UTC: it is 02:40, and half an hour later 02:10.
    const { now } = (await majlis.operator('GET', '/clock')).body;
    await majlis.advance((Date.parse('2027-10-31T00:40:00Z') - Date.parse(now)) / 1_000);
    await receiveMessage(majlis, workspace, digits);
    await eventually(
      () => sentTo(workspace, conversation_id),
      (sent) => sent.length === 1,
    );
    await majlis.advance(1_800);
    await receiveMessage(majlis, workspace, digits);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'messages.answer_away'`),
      (jobs) => jobs.length === 0,
    );
    assert.equal((await sentTo(workspace, conversation_id)).length, 1);
  });
});
