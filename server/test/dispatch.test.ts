import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import {
  newDigits,
  readStoredMessage,
  sendText,
  statusEventsOf,
  untilDispatched,
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
import {
  acceptSend,
  cutConnection,
  failSend,
  rejectSend,
  type SendCall,
  startScriptedPlatform,
} from '@majlis/testing/scripted-platform';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { watchTransactions } from '@majlis/testing/watch-transactions';
import { withTrigger } from '@majlis/testing/with-trigger';
import pino from 'pino';
import { parseId } from '../src/database/ids.ts';
import type { Connection } from '../src/database/pool.ts';
import type { Query } from '../src/database/run-on.ts';
import { adoptPlatformIds } from '../src/messages/queries.ts';

const platform = await startScriptedPlatform();
const majlis = await startTestService({
  env: {
    CHATAPP_API_URL: platform.api_url,
    RATE_LIMITS: 'off',
    PLATFORM_TIMEOUT_SECONDS: '1',
    UNKNOWN_OUTCOME_SECONDS: '600',
  },
});

// A channel of its own for each test: one in trouble waits.
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await majlis.workspace();
});

/** The database of the service, for what another process of it does. */
function openConnection({ sql }: TestService): Connection {
  const query = async <Row>({ text, values }: Query<Row>) => (await sql(text, [...values])) as Row[];
  return { log: pino({ level: 'silent' }), query };
}

const callsFor = (id: string) => platform.calls.filter((call) => call.callback_data === id);

/** Sends a text to a new customer in an open window, and lets the platform answer as told. */
async function sendWith(play: (call: SendCall) => unknown): Promise<string> {
  platform.script(play);
  return sendText(workspace, await receiveText(majlis, workspace, newDigits()));
}

/** A send of which nobody knows whether the platform took it. */
async function sendIntoTheDark(): Promise<string> {
  const id = await sendWith(cutConnection);
  await untilMessage(majlis, id, (message) => message.outcome_unknown);
  return id;
}

describe('a send that the platform took and did not answer', () => {
  const faults: [string, (call: SendCall) => unknown][] = [
    ['no answer in time', () => undefined],
    ['a connection that breaks', cutConnection],
    ['502', (call) => failSend(call, 502)],
    ['408 of a gateway', (call) => failSend(call, 408)],
    ['an error beyond the table with 500', (call) => rejectSend(call, 999_999, 500)],
    ['200 without an id', ({ response }) => response.end('{"messages":[]}')],
    ['a half answer', ({ response }) => response.writeHead(200, { 'content-length': 100 }).end('{"mess')],
  ];
  for (const [name, play] of faults) {
    it(`is not sent again: ${name}`, async () => {
      const id = await sendWith(play);
      await untilMessage(majlis, id, (message) => message.outcome_unknown);
      await majlis.advance(500);
      // A later message of the same number shows that the queue went on past this one.
      await untilMessage(majlis, await sendWith(acceptSend), (message) => message.platform_message_id !== null);
      assert.equal(callsFor(id).length, 1);
      const { status, error } = await readStoredMessage(majlis, id);
      assert.deepEqual({ status, error }, { status: 'queued', error: null });
    });
  }

  it('is adopted by a status that carries its id back', async () => {
    const id = await sendIntoTheDark();
    await postNotification(majlis, workspace, {
      statuses: [platformStatus('wamid.adopted', 'sent', { biz_opaque_callback_data: id })],
    });
    const { platform_message_id, outcome_unknown } = await untilStatus(majlis, id, 'sent');
    assert.deepEqual(
      { platform_message_id, outcome_unknown },
      { platform_message_id: 'wamid.adopted', outcome_unknown: false },
    );
    // From then on the platform's id alone names it, and the end of the wait passes it by.
    await postNotification(majlis, workspace, { statuses: [platformStatus('wamid.adopted', 'delivered')] });
    await untilStatus(majlis, id, 'delivered');
    await majlis.advance(601);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'messages.expire_unknown_outcome'`),
      (rows) => rows.length === 0,
    );
    assert.deepEqual(await statusEventsOf(majlis, id), ['sent', 'delivered']);
  });

  it('waits for its end from the moment that its outcome is unknown: both are one commit', async () => {
    const commits = watchTransactions();
    await sendIntoTheDark();
    const marking = commits().filter(({ texts }) => texts.some((text) => text.includes('set outcome_unknown = true')));
    assert.equal(marking.length, 1);
    assert.ok(marking[0]!.texts.some((text) => text.includes('insert into jobs')));
    assert.ok(marking[0]!.texts.some((text) => text.includes('delete from jobs')));
  });

  it('fails when UNKNOWN_OUTCOME_SECONDS have passed, not before, and says that the outcome is unknown', async () => {
    const id = await sendIntoTheDark();
    await majlis.advance(590);
    await untilMessage(majlis, await sendWith(acceptSend), (message) => message.platform_message_id !== null);
    assert.equal((await readStoredMessage(majlis, id)).status, 'queued');
    await majlis.advance(20);
    assert.match((await untilStatus(majlis, id, 'failed')).error!, /outcome is unknown/);
    assert.deepEqual(await statusEventsOf(majlis, id), ['failed']);
  });

  for (const late of ['sent', 'delivered', 'read']) {
    it(`is lifted from that failure by a late ${late}`, async () => {
      const id = await sendIntoTheDark();
      await majlis.advance(601);
      await untilStatus(majlis, id, 'failed');
      await postNotification(majlis, workspace, {
        statuses: [platformStatus(`wamid.${id}`, late, { biz_opaque_callback_data: id })],
      });
      assert.equal((await untilStatus(majlis, id, late)).error, null);
      assert.deepEqual(await statusEventsOf(majlis, id), ['failed', late]);
    });
  }

  it('is lifted too where a paused process records late that the platform took it', async () => {
    const id = await sendIntoTheDark();
    await majlis.advance(601);
    await untilStatus(majlis, id, 'failed');
    const [workspace_id, message_id] = [parseId('workspace', workspace.id)!, parseId('message', id)!];
    const connection = openConnection(majlis);
    await adoptPlatformIds(connection, [{ workspace_id, id: message_id, platform_message_id: `wamid.${id}` }]);
    await postNotification(majlis, workspace, { statuses: [platformStatus(`wamid.${id}`, 'sent')] });
    assert.equal((await untilStatus(majlis, id, 'sent')).error, null);
  });

  it('takes the reason of a late failure, which is no new event', async () => {
    const id = await sendIntoTheDark();
    await majlis.advance(601);
    await untilStatus(majlis, id, 'failed');
    await postNotification(majlis, workspace, {
      statuses: [platformStatus(`wamid.${id}`, 'failed', { biz_opaque_callback_data: id })],
    });
    const { error } = await untilMessage(majlis, id, (message) => !message.outcome_unknown);
    assert.equal(error, '131026: Message undeliverable - Scripted.');
    assert.deepEqual(await statusEventsOf(majlis, id), ['failed']);
  });
});

describe('a send that the platform did not take', () => {
  it('goes out once the platform can be reached again', async () => {
    await platform.down();
    const id = await sendWith(acceptSend);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'messages.deliver_message' and failures > 0`),
      (rows) => rows.length === 1,
    );
    assert.equal((await readStoredMessage(majlis, id)).outcome_unknown, false);
    await platform.up();
    await majlis.advance(10);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    assert.equal(callsFor(id).length, 1);
  });

  for (const code of [2, 4, 80007, 131016, 131056, 131057, 132069, 133004]) {
    it(`is tried again after a passing refusal: ${code}`, async () => {
      const id = await sendWith((call) =>
        callsFor(call.callback_data).length < 3 ? rejectSend(call, code) : acceptSend(call),
      );
      await eventually(
        () => majlis.advance(30),
        () => callsFor(id).length === 3,
      );
      const { status } = await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
      assert.equal(status, 'queued');
      assert.deepEqual(await statusEventsOf(majlis, id), []);
    });
  }

  for (const code of [1, 131000]) {
    it(`has three tries where the fault may be its own: ${code}`, async () => {
      const id = await sendWith((call) => rejectSend(call, code));
      await eventually(
        async () => {
          await majlis.advance(30);
          return readStoredMessage(majlis, id);
        },
        ({ status }) => status === 'failed',
      );
      assert.equal(callsFor(id).length, 3);
    });
  }

  for (const limits of [
    [130_429, 130_429],
    [131_056, 131_056],
    [4, 80_007],
  ]) {
    it(`has lost no try to limits of the platform: ${limits.join(' and ')}, then twice a doubtful error`, async () => {
      const codes = [...limits, 131_000, 131_000];
      const id = await sendWith((call) => {
        const code = codes[callsFor(call.callback_data).length - 1];
        return code === undefined ? acceptSend(call) : rejectSend(call, code);
      });
      await eventually(
        async () => {
          await majlis.advance(30);
          return readStoredMessage(majlis, id);
        },
        ({ status, platform_message_id }) => status === 'failed' || platform_message_id !== null,
      );
      assert.equal((await readStoredMessage(majlis, id)).status, 'queued');
      assert.equal(callsFor(id).length, 5);
    });
  }

  it('holds up no other message while its form is throttled: 132069', async () => {
    const throttled = await sendWith((call) =>
      callsFor(call.callback_data).length < 2 ? rejectSend(call, 132_069) : acceptSend(call),
    );
    await eventually(
      () => callsFor(throttled).length,
      (count) => count === 1,
    );
    const other = await sendWith(acceptSend);
    await untilMessage(majlis, other, (message) => message.platform_message_id !== null);
    assert.equal((await readStoredMessage(majlis, throttled)).platform_message_id, null);
    await eventually(
      () => majlis.advance(30),
      () => callsFor(throttled).length === 2,
    );
  });

  it('waits longer and longer at a limit by the hour, and a minute at most: 80007', async () => {
    const id = await sendWith((call) =>
      callsFor(call.callback_data).length < 9 ? rejectSend(call, 80_007) : acceptSend(call),
    );
    const pauses: number[] = [];
    for (let calls = 1; calls < 9; calls++) {
      await eventually(
        () => callsFor(id).length,
        (count) => count === calls,
      );
      const [group] = await eventually(paused, (rows) => rows.length === 1);
      pauses.push(group!.ms);
      await majlis.advance(61);
    }
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    assert.ok(pauses.at(-1)! > 30_000 && Math.max(...pauses) <= 60_000, String(pauses));
  });

  it('waits a second for its first pair limit, whatever the number’s own limit delayed before', async () => {
    const codes = [130_429, 130_429, 130_429, 130_429, 131_056];
    const id = await sendWith((call) => {
      const code = codes[callsFor(call.callback_data).length - 1];
      return code === undefined ? acceptSend(call) : rejectSend(call, code);
    });
    for (let calls = 1; calls <= 4; calls++) {
      await eventually(
        () => callsFor(id).length,
        (count) => count === calls,
      );
      await eventually(paused, (rows) => rows.length === 1);
      await majlis.advance(2);
    }
    const waiting = await eventually(
      () =>
        majlis.sql<{ run_at: Date }>(
          `select run_at from jobs where kind = 'messages.deliver_message' and wakes_at is not null`,
        ),
      (rows) => rows.length === 1 && callsFor(id).length === 5,
    );
    const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    assert.ok(waiting[0]!.run_at.getTime() - now <= 1_000, `${waiting[0]!.run_at.getTime() - now} ms`);
    await majlis.advance(2);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  });

  const paused = async () => {
    const { body } = await majlis.operator('GET', '/clock');
    return majlis.sql<{ ms: number }>(
      `select extract(epoch from paused_until - $1::timestamptz)::float * 1000 as ms
       from job_groups where kind = 'messages.deliver_message' and paused_until > $1`,
      [body.now],
    );
  };

  it('fails without a code where the platform gave none: the status of an answer is no code of the platform', async () => {
    const id = await sendWith((call) => failSend(call, 404));
    assert.equal((await untilStatus(majlis, id, 'failed')).error, 'HTTP 404 without a readable error');
  });

  for (const code of [100, 131008, 131026, 131047, 132000, 132015]) {
    it(`fails at once with the platform's reason where trying again is useless: ${code}`, async () => {
      const id = await sendWith((call) => rejectSend(call, code));
      assert.equal((await untilStatus(majlis, id, 'failed')).error, `${code}: Scripted refusal`);
      assert.equal(callsFor(id).length, 1);
      assert.deepEqual(await statusEventsOf(majlis, id), ['failed']);
    });
  }

  it('fails with the reason as far as it can be kept', async () => {
    const error = { code: 131_026, message: '(#131026) No\u0000 such\ud800 number' };
    const id = await sendWith(({ response }) => response.writeHead(400).end(JSON.stringify({ error })));
    assert.equal((await untilStatus(majlis, id, 'failed')).error, '131026: No\ufffd such\ufffd number');
    assert.equal(callsFor(id).length, 1);
  });

  it('fails with the last reason when it could not be handed over for a day', async () => {
    const id = await sendWith((call) => rejectSend(call, 131_016));
    await eventually(
      () => callsFor(id).length,
      (count) => count > 0,
    );
    await majlis.advance(24 * 3600 + 60);
    assert.equal((await untilStatus(majlis, id, 'failed')).error, '131016: Scripted refusal');
  });
});

it('a status that comes before the answer counts, and the answer changes nothing', async () => {
  const id = await sendWith(async (call) => {
    const statuses = [platformStatus('wamid.early', 'delivered', { biz_opaque_callback_data: call.callback_data })];
    await postNotification(majlis, workspace, { statuses });
    await untilNotificationsProcessed(majlis);
    acceptSend(call, 'wamid.early');
  });
  await untilStatus(majlis, id, 'delivered');
  await eventually(
    () => majlis.sql(`select from jobs where kind = 'messages.deliver_message'`),
    (rows) => rows.length === 0,
  );
  assert.deepEqual(await readStoredMessage(majlis, id), {
    status: 'delivered',
    error: null,
    outcome_unknown: false,
    platform_message_id: 'wamid.early',
  });
  assert.deepEqual(await statusEventsOf(majlis, id), ['delivered']);
});

it('an echo of the message that comes before the answer is no reason to send it again', async () => {
  const id = await sendWith(async (call) => {
    const echo = { from: '96880000001', to: call.body.to!.slice(1), id: 'wamid.echoed', timestamp: '1772000000' };
    const value = { message_echoes: [{ ...echo, type: 'text', text: { body: 'Hello' } }] };
    await postSigned(majlis, notificationBody(workspace, value, 'smb_message_echoes'), workspace.app_secret);
    await untilNotificationsProcessed(majlis);
    acceptSend(call, 'wamid.echoed');
  });
  await untilDispatched(majlis);
  await postNotification(majlis, workspace, {
    statuses: [platformStatus('wamid.echoed', 'sent', { biz_opaque_callback_data: id })],
  });
  await untilStatus(majlis, id, 'sent');
  assert.equal(callsFor(id).length, 1);
});

it('an answer that cannot be recorded is not followed by another call', async () => {
  const id = await withTrigger(majlis, { on: 'before update on messages', body: `raise 'scripted';` }, async () => {
    const sent = await sendWith(acceptSend);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'messages.deliver_message' and failures > 0`),
      (rows) => rows.length === 1,
    );
    return sent;
  });
  await majlis.advance(60);
  await untilMessage(majlis, id, (message) => message.outcome_unknown);
  assert.equal(callsFor(id).length, 1);
});
