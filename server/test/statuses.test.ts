import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { EventEnvelope, MessageStatusUpdated } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import {
  newDigits,
  readStoredMessage,
  sendText,
  statusEventsOf,
  untilMessage,
  untilStatus,
} from '@majlis/testing/messages';
import {
  notificationBody,
  platformStatus,
  postNotification,
  postSigned,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService } from '@majlis/testing/start-test-service';
import { expectedStatuses, type ReportedStatus, statusSequences } from '@majlis/testing/status-sequences';
import { Value } from 'typebox/value';

// The platform takes every send and says no more: all statuses come from the tests, through three services at once.
const platform = await startScriptedPlatform();
const majlis = await startTestService({
  env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4' },
});
const services = [majlis, await majlis.another(), await majlis.another()];
const workspace = await majlis.workspace();
const conversation = await receiveText(majlis, workspace, newDigits());

interface Sent {
  id: string;
  wamid: string;
}

/** Messages that the platform took. */
async function sendMany(count: number): Promise<Sent[]> {
  const conversations = await Promise.all(
    Array.from({ length: 20 }, () => receiveText(majlis, workspace, newDigits())),
  );
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => sendText(workspace, conversations[n % conversations.length]!)),
  );
  await eventually(
    () => majlis.sql(`select from messages where direction = 'outbound' and platform_message_id is null`),
    (rows) => rows.length === 0,
  );
  return Promise.all(
    ids.map(async (id) => ({ id, wamid: (await readStoredMessage(majlis, id)).platform_message_id! })),
  );
}

async function sendOne(): Promise<Sent> {
  const id = await sendText(workspace, conversation);
  const { platform_message_id } = await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  return { id, wamid: platform_message_id! };
}

const sequences = statusSequences(4);

async function assertFollowed(message: Sent, sequence: readonly ReportedStatus[]): Promise<void> {
  const expected = expectedStatuses(sequence);
  const { status, error } = await readStoredMessage(majlis, message.id);
  assert.equal(status, expected.at(-1) ?? 'queued', sequence.join());
  assert.equal(error === null, status !== 'failed', sequence.join());
  assert.deepEqual(await statusEventsOf(majlis, message.id), expected, sequence.join());
}

describe(`each of the ${sequences.length - 1} sequences of up to four statuses leads where the contract says`, () => {
  let messages: Sent[];
  before(async () => {
    messages = await sendMany(sequences.length);
  });

  it('one at a time, in large notifications, through all services', async () => {
    for (let step = 0; step < 4; step++) {
      const due = sequences.flatMap((sequence, n) =>
        sequence.slice(step, step + 1).map((status) => platformStatus(messages[n]!.wamid, status)),
      );
      const shares = services.map((_, n) => due.filter((_, place) => (place + step) % services.length === n));
      await Promise.all(services.map((service, n) => postNotification(service, workspace, { statuses: shares[n] })));
      await untilNotificationsProcessed(majlis);
    }
    for (const [n, sequence] of sequences.entries()) await assertFollowed(messages[n]!, sequence);
  });
});

it('a whole course in one notification goes through all its steps', async () => {
  const short = sequences.filter((sequence) => sequence.length <= 3);
  const messages = await sendMany(short.length);
  const statuses = short.flatMap((sequence, n) => sequence.map((status) => platformStatus(messages[n]!.wamid, status)));
  await postNotification(majlis, workspace, { statuses });
  await untilNotificationsProcessed(majlis);
  for (const [n, sequence] of short.entries()) await assertFollowed(messages[n]!, sequence);
});

it('statuses that arrive at once from all sides end at the furthest one, without a step back', async () => {
  const messages = await sendMany(60);
  const all = messages.flatMap(({ id, wamid }) =>
    (['sent', 'delivered', 'read', 'read', 'delivered'] as const).map((status) => ({
      id,
      status: platformStatus(wamid, status),
    })),
  );
  const [shuffled] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed: 7 });
  await Promise.all(
    shuffled!.map(({ status }, n) => postNotification(services[n % 3]!, workspace, { statuses: [status] })),
  );
  await untilNotificationsProcessed(majlis);
  for (const { id } of messages) {
    const steps = await statusEventsOf(majlis, id);
    assert.equal((await readStoredMessage(majlis, id)).status, 'read');
    assert.deepEqual(steps, expectedStatuses(steps as ReportedStatus[]), 'a step back or a step twice');
    assert.equal(steps.at(-1), 'read');
  }
});

it('a status that is delivered five times over four connections is one event', async () => {
  const { id, wamid } = await sendOne();
  for (const status of ['sent', 'delivered', 'read']) {
    const notices = Array.from({ length: 5 }, (_, n) =>
      postNotification(services[n % 3]!, workspace, { statuses: [platformStatus(wamid, status)] }),
    );
    await Promise.all(notices);
    await untilNotificationsProcessed(majlis);
  }
  await postNotification(majlis, workspace, { statuses: [platformStatus(wamid, 'sent')] });
  await untilNotificationsProcessed(majlis);
  assert.deepEqual(await statusEventsOf(majlis, id), ['sent', 'delivered', 'read']);
});

it('played counts as read', async () => {
  const { id, wamid } = await sendOne();
  await postNotification(majlis, workspace, { statuses: [platformStatus(wamid, 'played')] });
  await untilStatus(majlis, id, 'read');
});

it('the failure’s reason stands in the message, with the platform’s code', async () => {
  const { id, wamid } = await sendOne();
  await postNotification(majlis, workspace, { statuses: [platformStatus(wamid, 'failed')] });
  await untilStatus(majlis, id, 'failed');
  const { body } = await workspace.api.get(`/messages/${id}`);
  assert.equal(body.error, '131026: Message undeliverable - Scripted.');
});

it('each change has an event in the contract’s envelope', async () => {
  const { id, wamid } = await sendOne();
  await postNotification(majlis, workspace, { statuses: [platformStatus(wamid, 'delivered')] });
  await untilStatus(majlis, id, 'delivered');
  const [event] = await majlis.sql<{ id: string; payload: string; created_at: Date }>(
    `select payload, created_at from events where payload like '%' || $1 || '%'`,
    [id],
  );
  const envelope = JSON.parse(event!.payload);
  assert.ok(Value.Check(EventEnvelope, envelope));
  assert.ok(Value.Check(MessageStatusUpdated, envelope.data));
  assert.match(envelope.id, /^evt_/);
  assert.equal(envelope.workspace_id, workspace.id);
  assert.equal(envelope.created_at, event!.created_at.toISOString());
  const message = { id, direction: 'outbound', kind: 'text', body: 'Hello', status: 'delivered' };
  assert.deepEqual(envelope.data, { message, conversation: { id: conversation } });
});

describe('a status without callback data', () => {
  it('that comes before the answer to its send is found again', async () => {
    platform.script(async (call) => {
      await postNotification(majlis, workspace, { statuses: [platformStatus('wamid.unknown-yet', 'delivered')] });
      await untilNotificationsProcessed(majlis);
      acceptSend(call, 'wamid.unknown-yet');
    });
    const id = await sendText(workspace, conversation);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    platform.script(acceptSend);
    await majlis.advance(20);
    await untilStatus(majlis, id, 'delivered');
    await eventually(retries, (rows) => rows.length === 0);
  });

  it('is looked for as often as ever when the database was in trouble between', async () => {
    await postNotification(majlis, workspace, { statuses: [platformStatus('wamid.patient', 'delivered')] });
    await untilNotificationsProcessed(majlis);
    await majlis.sql(`update jobs set failures = 7 where kind = 'inbound.retry_status'`);
    await majlis.advance(2);
    const [job] = await eventually(
      () => majlis.sql<{ failures: number }>(`select failures from jobs where kind = 'inbound.retry_status'`),
      ([waiting]) => waiting?.failures !== 7,
    );
    assert.ok(job, 'the status was left aside at the first look');
    platform.script((call) => acceptSend(call, 'wamid.patient'));
    const id = await sendText(workspace, conversation);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    platform.script(acceptSend);
    await majlis.advance(20);
    await untilStatus(majlis, id, 'delivered');
  });

  it('of a message that was never ours is left aside after a while', async () => {
    const foreign = { biz_opaque_callback_data: 'of-another-app' };
    await postNotification(majlis, workspace, {
      statuses: [platformStatus('wamid.foreign', 'read'), platformStatus('wamid.other', 'sent', foreign)],
    });
    await untilNotificationsProcessed(majlis);
    await eventually(
      async () => {
        await majlis.advance(600);
        return retries();
      },
      (rows) => rows.length === 0,
    );
  });

  const retries = () => majlis.sql(`select from jobs where kind = 'inbound.retry_status'`);
});

describe('a status that names our message under another number', () => {
  it('of another workspace changes nothing', async () => {
    const stranger = await majlis.workspace();
    const { id, wamid } = await sendOne();
    const statuses = [
      platformStatus('wamid.strange', 'read', { biz_opaque_callback_data: id }),
      platformStatus(wamid, 'read'),
    ];
    await postNotification(majlis, stranger, { statuses });
    // Not even beside its own number's: what it signs is of its own app.
    const [ours, own] = [workspace, stranger].map((origin) => JSON.parse(notificationBody(origin, { statuses })));
    const forged = JSON.stringify({ ...own, entry: [...own.entry, ...ours.entry] });
    assert.equal((await postSigned(majlis, forged, stranger.app_secret)).status, 200);
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await readStoredMessage(majlis, id), {
      status: 'queued',
      error: null,
      outcome_unknown: false,
      platform_message_id: wamid,
    });
  });

  it('of the same workspace changes nothing', async () => {
    const other = { phone_number_id: '4400009', waba_id: workspace.waba_id, app_secret: workspace.app_secret };
    const channel = { type: 'chatapp', name: 'Sales', access_token: 'token', verify_token: 'verify', ...other };
    const { applied } = workspace;
    await majlis.operator('PUT', '/workspaces', { workspace: { name: applied.workspace.name }, channels: [channel] });
    const { id, wamid } = await sendOne();
    const named = platformStatus('wamid.x', 'read', { biz_opaque_callback_data: id });
    await postNotification(majlis, other, { statuses: [named, platformStatus(wamid, 'read')] });
    await untilNotificationsProcessed(majlis);
    assert.equal((await readStoredMessage(majlis, id)).status, 'queued');
  });
});

it('an item that no rule expects does not hold back its neighbours', async () => {
  const { id, wamid } = await sendOne();
  const odd = [
    null,
    'text',
    {},
    { id: 1 },
    platformStatus('wamid.y', 'deleted'),
    platformStatus(wamid, 'warning'),
    { ...platformStatus(wamid, 'read'), id: {} },
  ];
  await postNotification(majlis, workspace, { statuses: [...odd, platformStatus(wamid, 'delivered'), ...odd] });
  await untilStatus(majlis, id, 'delivered');
});

it('a status with an unreadable timestamp is applied: nothing hangs on its moment', async () => {
  const { id, wamid } = await sendOne();
  for (const [status, timestamp] of [
    ['delivered', {}],
    ['read', undefined],
  ] as const) {
    await postNotification(majlis, workspace, { statuses: [{ ...platformStatus(wamid, status), timestamp }] });
    await untilStatus(majlis, id, status);
  }
});

it('a failure has its reason, in whatever shape the platform tells its errors', async () => {
  const untold = 'The platform gave no reason.';
  const capped = { code: 131049, title: 'Not delivered' };
  for (const [more, reason] of [
    [{ errors: [null, { title: 'Untold' }, capped] }, '131049: Not delivered'],
    [{ errors: capped }, '131049: Not delivered'],
    [{ errors: [{ code: 131049 }] }, '131049: Not delivered, to limit the marketing that each user gets'],
    [{ errors: [{ title: 'Odd', error_data: { details: 'Try later.' } }] }, 'Odd - Try later.'],
    [{ errors: [] }, untold],
    [{ errors: undefined }, untold],
  ] as const) {
    const { id, wamid } = await sendOne();
    await postNotification(majlis, workspace, { statuses: [platformStatus(wamid, 'failed', more)] });
    await untilStatus(majlis, id, 'failed');
    assert.equal((await workspace.api.get(`/messages/${id}`)).body.error, reason);
  }
});

it('no two events of a message share a moment', async () => {
  const rows = await majlis.sql(`
    select payload::json -> 'data' -> 'message' ->> 'id' as id, created_at from events
    where type = 'message.status_updated' group by 1, 2 having count(*) > 1`);
  assert.deepEqual(rows, []);
});
