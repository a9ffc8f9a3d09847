import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import {
  newDigits,
  readStoredMessage,
  sendText,
  untilDispatched,
  untilMessage,
  untilStatus,
} from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import {
  acceptSend,
  cutConnection,
  rejectSend,
  type SendCall,
  startScriptedPlatform,
} from '@majlis/testing/scripted-platform';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const platform = await startScriptedPlatform();
// No call ends for its length: what hangs, hangs until the test is done with it.
const patient = { PLATFORM_TIMEOUT_SECONDS: '120', LEASE_SECONDS: '180' };
const majlis = await startTestService({ env: { ...patient, CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });

const callsOf = ({ phone_number_id }: TestWorkspace) =>
  platform.calls.filter((call) => call.phone_number_id === phone_number_id);

/** One text to each of so many new customers. */
async function sendToMany(workspace: TestWorkspace, count: number): Promise<string[]> {
  const digits = Array.from({ length: count }, newDigits);
  const conversations = await Promise.all(digits.map((one) => receiveText(majlis, workspace, one)));
  return Promise.all(conversations.map((conversation) => sendText(workspace, conversation)));
}

it('keeps the order of a conversation through refusals, broken connections and pauses', async () => {
  const workspace = await majlis.workspace();
  const taken: string[] = [];
  let calls = 0;
  platform.script((call) => {
    calls += 1;
    if (calls % 7 === 0) return rejectSend(call, 131_016, 500);
    if (calls % 11 === 0) return rejectSend(call, 131_056);
    if (calls % 13 === 0) return rejectSend(call, 130_429, 429);
    taken.push(call.callback_data);
    return calls % 17 === 0 ? cutConnection(call) : acceptSend(call);
  });
  const conversation = await receiveText(majlis, workspace, newDigits());
  const sent: string[] = [];
  for (let n = 0; n < 100; n++) sent.push(await sendText(workspace, conversation, `message ${n}`));
  await eventually(
    () => majlis.advance(60),
    () => taken.length >= 100,
  );
  assert.deepEqual(taken, sent);
});

it('sends the messages of one channel while another hangs', async () => {
  const [hanging, healthy] = await Promise.all([majlis.workspace(), majlis.workspace()]);
  platform.script((call) => (call.phone_number_id === hanging.phone_number_id ? undefined : acceptSend(call)));
  const waiting = await sendToMany(hanging, 60);
  await eventually(
    () => callsOf(hanging).length,
    (count) => count > 0,
  );
  const sent = await sendToMany(healthy, 100);
  for (const id of sent) await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  assert.equal(callsOf(healthy).length, 100);
  // The other one hangs still, and holds no more places than a channel may.
  for (const id of waiting) assert.equal((await readStoredMessage(majlis, id)).outcome_unknown, false);
  assert.ok(callsOf(hanging).length <= 32, `${callsOf(hanging).length} calls hang`);
  for (const call of callsOf(hanging)) acceptSend(call);
  platform.script(acceptSend);
  await untilDispatched(majlis);
});

it('sends the messages of one channel while eight others hang, whose messages would fill every place', async () => {
  const hanging = await Promise.all(Array.from({ length: 8 }, () => majlis.workspace()));
  const healthy = await majlis.workspace();
  const numbers = new Set(hanging.map(({ phone_number_id }) => phone_number_id));
  const hung = () => platform.calls.filter(({ phone_number_id }) => numbers.has(phone_number_id));
  platform.script((call) => (numbers.has(call.phone_number_id) ? undefined : acceptSend(call)));
  const waiting = (await Promise.all(hanging.map((one) => sendToMany(one, 40)))).flat();
  await eventually(
    () => hung().length,
    (count) => count >= 8 * 32,
  );
  const sent = await sendToMany(healthy, 40);
  for (const id of sent) await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  // The others hang still: none of their calls has ended.
  for (const id of waiting) assert.equal((await readStoredMessage(majlis, id)).outcome_unknown, false);
  platform.script(acceptSend);
  for (const call of hung()) if (!call.response.writableEnded) acceptSend(call);
  await untilDispatched(majlis);
});

it('calls that fail together make one short pause, however many they are', async () => {
  const workspace = await majlis.workspace();
  platform.script(acceptSend);
  await platform.down();
  const ids = await sendToMany(workspace, 30);
  await eventually(
    () => majlis.sql(`select from jobs where kind = 'messages.deliver_message' and failures > 0`),
    (rows) => rows.length === 30,
  );
  await platform.up();
  await majlis.advance(2);
  for (const id of ids) await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  assert.equal(callsOf(workspace).length, 30);
});

it('a channel in trouble is tried with one message at a time, until the platform takes one', async () => {
  const workspace = await majlis.workspace();
  const channel = parseId('channel', workspace.channel_id);
  const pausedAndIdle = () =>
    majlis.sql(
      `select from job_groups where kind = 'messages.deliver_message' and group_id = $1 and paused_until > $2
         and not exists (select from jobs where group_id = $1 and started_at is not null)`,
      [channel, new Date(clock)],
    );
  let clock = 0;
  /** Moves on past the pause and waits for the next one; answers how many calls there were. */
  const next = async () => {
    await majlis.advance(120);
    clock = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    await eventually(pausedAndIdle, (rows) => rows.length === 1);
    return callsOf(workspace).length;
  };
  platform.script(cutConnection);
  const ids = await sendToMany(workspace, 40);
  const first = await next();
  assert.deepEqual([await next(), await next()], [first + 1, first + 2]);

  platform.script(acceptSend);
  await majlis.advance(120);
  await untilDispatched(majlis);
  for (const id of ids) assert.equal(callsOf(workspace).filter((call) => call.callback_data === id).length, 1);
});

describe('a channel whose token is refused', () => {
  const expired = (call: SendCall) => rejectSend(call, 190, 401);

  it('fails its messages at once with the reason, and is not asked again for each', async () => {
    const [expiring, healthy] = await Promise.all([majlis.workspace(), majlis.workspace()]);
    platform.script((call) => (call.phone_number_id === expiring.phone_number_id ? expired(call) : acceptSend(call)));
    const conversation = await receiveText(majlis, expiring, newDigits());
    for (let n = 0; n < 20; n++) {
      const { error } = await untilStatus(majlis, await sendText(expiring, conversation), 'failed');
      assert.equal(error, '190: Scripted refusal');
    }
    assert.equal(callsOf(expiring).length, 1);
    await Promise.all((await sendToMany(expiring, 60)).map((id) => untilStatus(majlis, id, 'failed')));
    assert.equal(callsOf(expiring).length, 1);
    const [sent] = await sendToMany(healthy, 1);
    await untilMessage(majlis, sent!, (message) => message.platform_message_id !== null);

    await majlis.advance(31);
    await untilStatus(majlis, await sendText(expiring, conversation), 'failed');
    assert.equal(callsOf(expiring).length, 2);
  });

  it('sends again once the platform takes the token again', async () => {
    const workspace = await majlis.workspace();
    platform.script(expired);
    const conversation = await receiveText(majlis, workspace, newDigits());
    await untilStatus(majlis, await sendText(workspace, conversation), 'failed');
    platform.script(acceptSend);
    await majlis.advance(31);
    for (let n = 0; n < 2; n++) {
      const id = await sendText(workspace, conversation);
      await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    }
    const fault = `select fault from channels where phone_number_id = $1`;
    await eventually(
      () => majlis.sql(fault, [workspace.phone_number_id]),
      ([row]) => row!.fault === null,
    );
  });

  it('sends at once with a new token from the operator', async () => {
    const workspace = await majlis.workspace();
    platform.script((call) => (call.access_token === 'new-token' ? acceptSend(call) : expired(call)));
    const conversation = await receiveText(majlis, workspace, newDigits());
    await untilStatus(majlis, await sendText(workspace, conversation), 'failed');
    await renewToken(workspace);
    const id = await sendText(workspace, conversation);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
    assert.deepEqual(
      callsOf(workspace).map((call) => call.access_token),
      [workspace.access_token, 'new-token'],
    );
  });

  it('is not blamed, under its new token, for an answer to the old one that comes late', async () => {
    const workspace = await majlis.workspace();
    const held: SendCall[] = [];
    platform.script((call) => (call.access_token === 'new-token' ? acceptSend(call) : held.push(call)));
    const conversation = await receiveText(majlis, workspace, newDigits());
    const refused = await sendText(workspace, conversation);
    await eventually(
      () => Promise.resolve(held.length),
      (count) => count === 1,
    );
    await renewToken(workspace);
    expired(held[0]!);
    await untilStatus(majlis, refused, 'failed');
    const id = await sendText(workspace, conversation);
    await untilMessage(majlis, id, (message) => message.platform_message_id !== null);
  });

  async function renewToken({ phone_number_id, applied }: TestWorkspace): Promise<void> {
    const channels = [{ type: 'chatapp', phone_number_id, access_token: 'new-token' }];
    const workspace = { name: applied.workspace.name };
    const { status } = await majlis.operator('PUT', '/workspaces', { workspace, channels });
    assert.equal(status, 200);
  }
});
