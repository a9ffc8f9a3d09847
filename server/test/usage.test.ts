import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { platformStatus, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { sendTexts } from '@majlis/testing/send-texts';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const platform = await startScriptedPlatform();
const majlis = await startTestService({ env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });

/** The clock only ever goes forward: each test has its own days. */
async function moveTo(moment: string): Promise<void> {
  const { body } = await majlis.operator('GET', '/clock');
  await majlis.advance((Date.parse(moment) - Date.parse(body.now)) / 1000);
}

async function usageOf({ api }: TestWorkspace, from: string, to: string) {
  const reply = await api.get(`/usage?from=${from}&to=${to}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

async function deliver(
  workspace: TestWorkspace,
  categories: (string | undefined)[],
  status = 'delivered',
): Promise<void> {
  const messages = await sendTexts(majlis, workspace, categories.length);
  const statuses = messages.map(({ wamid }, n) => {
    const pricing = { billable: false, pricing_model: 'PMP', category: categories[n] };
    return platformStatus(wamid, status, categories[n] === undefined ? {} : { pricing });
  });
  await postNotification(majlis, workspace, { statuses });
  await untilNotificationsProcessed(majlis);
}

const nothing = {
  messages_sent: 0,
  ai_credits: 0,
  seats: 0,
  conversations: { marketing: 0, utility: 0, service: 0 },
};

describe('usage', () => {
  it('counts what was sent, the seats, and the platform’s conversations by category', async () => {
    await moveTo('2027-03-01T09:00:00Z');
    const users = [1, 2, 3].map((n) => ({ name: `User ${n}`, email: `user-${n}@acme.example`, role: 'viewer' }));
    const workspace = await majlis.workspace({ users });
    await deliver(workspace, [
      'marketing',
      'marketing_lite',
      'utility',
      'service',
      'service',
      'authentication',
      undefined,
    ]);
    await deliver(workspace, ['marketing'], 'failed');
    await deliver(workspace, ['marketing'], 'sent');
    assert.deepEqual(await usageOf(workspace, '2027-03-01', '2027-03-01'), {
      messages_sent: 8,
      ai_credits: 0,
      seats: 3,
      conversations: { marketing: 2, utility: 1, service: 2 },
    });
    assert.deepEqual(await usageOf(workspace, '2027-02-01', '2027-02-28'), nothing);
    assert.deepEqual(await usageOf(workspace, '2027-03-02', '2027-03-31'), { ...nothing, seats: 3 });
  });

  it('adds up what AI took', async () => {
    await moveTo('2027-03-04T09:00:00Z');
    const workspace = await majlis.workspace();
    for (const [credits, at] of [
      [30, '2027-03-04T10:00:00Z'],
      [4, '2027-03-04T19:59:59Z'],
      [500, '2027-03-04T20:00:00Z'],
    ]) {
      const values = [parseId('workspace', workspace.id), credits, at];
      await majlis.sql('insert into ai_usage values ($1, gen_random_uuid(), $2, $3)', values);
    }
    assert.equal((await usageOf(workspace, '2027-03-04', '2027-03-04')).ai_credits, 34);
    assert.equal((await usageOf(workspace, '2027-03-01', '2027-03-31')).ai_credits, 534);
  });

  it('is of days as the workspace’s calendar has them, with 25 hours too; without a zone in UTC', async () => {
    const of = (timezone?: string) =>
      majlis.workspace({ workspace: { name: `In ${timezone}`, country: 'OM', ...(timezone && { timezone }) } });
    // 2027-10-30T22:00Z to 2027-10-31T23:00Z is 31 October in Berlin.
    const moments = ['2027-10-30T21:59:50Z', '2027-10-30T22:00:10Z', '2027-10-31T22:59:40Z', '2027-10-31T23:00:10Z'];
    const [berlin, utc] = [await of('Europe/Berlin'), await of()];
    for (const moment of moments) {
      await moveTo(moment);
      for (const workspace of [berlin, utc]) await deliver(workspace, ['utility']);
    }
    const sentOn = async (workspace: TestWorkspace, day: string) => (await usageOf(workspace, day, day)).messages_sent;
    assert.deepEqual([await sentOn(berlin, '2027-10-30'), await sentOn(berlin, '2027-10-31')], [1, 2]);
    assert.deepEqual([await sentOn(utc, '2027-10-30'), await sentOn(utc, '2027-10-31')], [2, 2]);
    assert.equal((await usageOf(berlin, '2027-10-30', '2027-11-01')).conversations.utility, 4);
  });

  it('counts what happens at midnight to the day that begins', async () => {
    const workspace = await majlis.workspace({ users: [{ name: 'Omar', email: 'omar@acme.example' }] });
    await deliver(workspace, ['utility']);
    const id = parseId('workspace', workspace.id);
    // In Muscat.
    const midnight = '2027-10-20T20:00:00Z';
    await majlis.sql('insert into ai_usage values ($1, gen_random_uuid(), 7, $2)', [id, midnight]);
    for (const table of ['messages', 'ledger_entries', 'users']) {
      await majlis.sql(`update ${table} set created_at = $2 where workspace_id = $1`, [id, midnight]);
    }
    const begun = {
      messages_sent: 1,
      ai_credits: 7,
      seats: 1,
      conversations: { ...nothing.conversations, utility: 1 },
    };
    assert.deepEqual(await usageOf(workspace, '2027-10-20', '2027-10-20'), nothing);
    assert.deepEqual(await usageOf(workspace, '2027-10-21', '2027-10-21'), begun);
  });

  it('takes any days that there are, however far apart', async () => {
    const { api } = await majlis.workspace();
    for (const [from, to] of [
      ['0000-01-01', '0000-01-02'],
      ['0001-01-01', '9999-12-31'],
      ['9999-12-31', '9999-12-31'],
      ['2028-02-29', '2028-02-29'],
    ]) {
      assert.equal((await api.get(`/usage?from=${from}&to=${to}`)).status, 200);
    }
  });
});

describe('days that are none are refused', () => {
  const bad: [string, string][] = [
    ['', '/from'],
    ['from=2027-01-01', '/to'],
    ['to=2027-01-01', '/from'],
    ['from=2027-02-30&to=2027-03-01', '/from'],
    ['from=2027-02-01&to=2027-02-29', '/to'],
    ['from=2027-1-1&to=2027-02-01', '/from'],
    ['from=2027-01-01T00:00:00Z&to=2027-02-01', '/from'],
    ['from=&to=2027-02-01', '/from'],
    ['from=%D9%A2%D9%A0%D9%A2%D9%A7-01-01&to=2027-02-01', '/from'],
    ['from=2027-01-01&from=2027-01-02&to=2027-02-01', '/from'],
    ['from=2027-02-02&to=2027-02-01', '/from'],
    ['from=2027-02-02%00&to=2027-02-01', '/from'],
  ];
  for (const path of ['/usage', '/analytics/conversations', '/analytics/messages']) {
    it(`by GET ${path}`, async () => {
      const { api } = await majlis.workspace();
      for (const [query, pointer] of bad) {
        const { status, body } = await api.get(`${path}?${query}`);
        assert.deepEqual(
          [status, body.code, body.errors?.[0]?.pointer],
          [422, 'unprocessable_content', pointer],
          query,
        );
      }
    });
  }
});
