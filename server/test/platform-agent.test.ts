import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  postSigned,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { seededRandom } from '@majlis/testing/seeded-random';
import { conversationPath, textMessage } from '@majlis/testing/start-conversations';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { publishWorkflows, untilWorkflowsIdle } from '@majlis/testing/workflows';
import { publicId } from '../src/database/ids.ts';

// The platform's own agent (platform-2026, row 1): what it holds comes in the field `standby`.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  badr = await joinWorkspace(majlis, workspace, { role: 'agent' });
});

const seconds = () => Math.floor(Date.now() / 1000);
const read = async (id: string) => (await workspace.api.get(conversationPath(id))).body;
const threadOf = async (id: string) => (await badr.at('GET', `/conversations/${id}/thread`)).body.data;
const postStandby = (standby: object) => postNotification(majlis, workspace, { standby }, 'standby');

/** The public id of the conversation of a customer's message. */
async function conversationOf(wamid: string): Promise<string> {
  const rows = await eventually(
    () =>
      majlis.sql<{ id: string }>('select conversation_id as id from messages where platform_message_id = $1', [wamid]),
    ({ length }) => length === 1,
  );
  return publicId('conversation', rows[0]!.id);
}

function noticeOf(digits: string, to: 'agent' | 'business', at_s: number) {
  const type = to === 'agent' ? 'control_taken' : 'control_passed';
  const previous_owner_app_role = to === 'agent' ? 'partner_app' : 'meta_business_agent';
  const recipient = { phone_number_id: workspace.phone_number_id, display_phone_number: '96880000001' };
  const value = { type, sender: { phone_number: digits }, recipient, [type]: { previous_owner_app_role } };
  return { id: workspace.waba_id, time: at_s, changes: [{ field: 'messaging_handovers', value }] };
}

async function post(entry: object[]): Promise<void> {
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  assert.equal((await postSigned(majlis, body, workspace.app_secret)).status, 200);
}

/** A new conversation that the platform's own agent holds. */
async function beginHeld(digits = newDigits()): Promise<string> {
  const message = platformText(digits, 'Are you open today?');
  await postStandby({ messages: [message] });
  return conversationOf(message.id as string);
}

describe('a conversation that the platform’s own agent holds', () => {
  it('stands in the inbox with the messages of both sides and their statuses', async () => {
    const digits = newDigits();
    const id = await beginHeld(digits);
    const wamid = `wamid.${randomUUID()}`;
    const echo = { ...platformText('96880000001', 'We are, until nine.', { id: wamid }), to: digits };
    await postStandby({ message_echoes: [echo] });
    await conversationOf(wamid);
    const status = { id: wamid, status: 'delivered', timestamp: String(seconds()), recipient_id: digits };
    await postStandby({ statuses: [status] });
    await untilNotificationsProcessed(majlis);
    const { controller, unread_count, status: state } = await read(id);
    assert.deepEqual({ controller, unread_count, state }, { controller: 'bot', unread_count: 0, state: 'open' });
    const { data } = (await workspace.api.get(conversationPath(id, 'messages'))).body;
    assert.deepEqual(
      data.map(({ direction, body, actor_kind, status }: Record<string, string>) => [
        direction,
        body,
        actor_kind,
        status,
      ]),
      [
        ['inbound', 'Are you open today?', 'contact', undefined],
        ['outbound', 'We are, until nine.', undefined, 'delivered'],
      ],
    );
    const thread: Record<string, string>[] = await threadOf(id);
    const lines = thread.filter(({ kind }) => kind !== 'assigned').map(({ type, actor_kind }) => [type, actor_kind]);
    assert.deepEqual(lines, [
      ['change', 'platform_agent'],
      ['message', 'contact'],
      ['message', 'platform_agent'],
    ]);
    assert.equal((await badr.at('GET', `/conversations/${id}/state`)).body.held_by_platform, true);
    const listed = (await badr.at('GET', '/inbox?view=all')).body.data.find(
      (row: { conversation: { id: string } }) => row.conversation.id === id,
    );
    assert.equal(listed.preview.actor_kind, 'platform_agent');
  });

  it('has a message once that comes by both fields', async () => {
    const digits = newDigits();
    const message = platformText(digits, 'Once');
    await postNotification(majlis, workspace, { messages: [message] });
    await postStandby({ messages: [message] });
    await untilNotificationsProcessed(majlis);
    const id = await conversationOf(message.id as string);
    assert.equal((await workspace.api.get(conversationPath(id, 'messages'))).body.data.length, 1);
    assert.equal((await read(id)).controller, 'bot');
  });

  it('starts no workflow with what the customer writes', async () => {
    const other = await majlis.workspace();
    const step = { do: 'send_message', text: 'A robot greets you.' };
    await publishWorkflows(majlis, other, { name: 'Greet', trigger: 'message_received', steps: [step] });
    const [held, free] = [platformText(newDigits(), 'Hello'), platformText(newDigits(), 'Hello')];
    await postNotification(majlis, other, { standby: { messages: [held] } }, 'standby');
    await postNotification(majlis, other, { messages: [free] });
    await untilNotificationsProcessed(majlis);
    await untilWorkflowsIdle(majlis);
    const counts = await Promise.all(
      [held, free].map(async ({ id }) => {
        const conversation = await conversationOf(id as string);
        return (await other.api.get(conversationPath(conversation, 'messages'))).body.data.length;
      }),
    );
    assert.deepEqual(counts, [1, 2]);
  });

  it('refuses the message of a key, and a person who writes takes it over', async () => {
    const digits = newDigits();
    const id = await beginHeld(digits);
    assertRefused(await workspace.api.post(conversationPath(id, 'messages'), textMessage), 409, 'bot_in_control');
    const gate = (await badr.at('GET', `/conversations/${id}/gate`)).body;
    assert.deepEqual([gate.free, gate.takes_over], [{ allowed: true }, true]);
    assert.equal((await badr.at('POST', `/conversations/${id}/messages`, textMessage)).status, 201);
    assert.equal((await read(id)).controller, 'human');
    const last = (await threadOf(id)).findLast(({ type }: { type: string }) => type === 'change');
    assert.deepEqual([last.kind, last.controller, last.actor_id], ['handed_over', 'human', badr.user_id]);
    // A report that is older than the take changes it no more.
    const late = platformText(digits, 'Written before', { timestamp: String(seconds() - 60) });
    await postStandby({ messages: [late] });
    await untilNotificationsProcessed(majlis);
    assert.equal((await read(id)).controller, 'human');
  });

  it('is a person’s when the agent passes it on, and the agent’s when it takes it', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const from = seconds();
    for (const [to, controller] of [
      ['agent', 'bot'],
      ['business', 'human'],
    ] as const) {
      await post([noticeOf(digits, to, from + (to === 'agent' ? 1 : 2))]);
      await untilNotificationsProcessed(majlis);
      assert.equal((await read(id)).controller, controller);
    }
  });

  it('follows changes whose time is days ahead or unreadable, and every later one', async () => {
    for (const time of [seconds() + 3 * 86_400, 'soon', undefined]) {
      const digits = newDigits();
      const id = await receiveText(majlis, workspace, digits);
      await post([{ ...noticeOf(digits, 'agent', 0), time }]);
      await untilNotificationsProcessed(majlis);
      assert.equal((await read(id)).controller, 'bot', `${time}`);
      await post([noticeOf(digits, 'business', seconds() + 60)]);
      await untilNotificationsProcessed(majlis);
      assert.equal((await read(id)).controller, 'human', `${time}`);
    }
  });

  it('begins with a change of control that comes before its first message', async () => {
    const digits = newDigits();
    await post([noticeOf(digits, 'business', seconds() + 5)]);
    const message = platformText(digits, 'Before the change');
    await postStandby({ messages: [message] });
    await untilNotificationsProcessed(majlis);
    assert.equal((await read(await conversationOf(message.id as string))).controller, 'human');
  });

  it('has the right holder after shuffled changes', async () => {
    const random = seededRandom();
    const from = seconds();
    const people = Array.from(
      { length: 40 },
      (_, n) => ({ digits: newDigits(), last: n % 3 ? 'agent' : 'business' }) as const,
    );
    const ids = await Promise.all(people.map(({ digits }) => receiveText(majlis, workspace, digits)));
    const notices = people.flatMap(({ digits, last }) => {
      const before = Array.from({ length: 24 }, (_, n) => noticeOf(digits, n % 2 ? 'agent' : 'business', from + n));
      return [...before, noticeOf(digits, last, from + 100)];
    });
    const shuffled = notices.map((notice) => ({ notice, place: random.next() })).toSorted((a, b) => a.place - b.place);
    for (let n = 0; n < shuffled.length; n += 50) await post(shuffled.slice(n, n + 50).map(({ notice }) => notice));
    await untilNotificationsProcessed(majlis);
    const held = await Promise.all(ids.map(async (id) => (await read(id)).controller));
    assert.deepEqual(
      held,
      people.map(({ last }) => (last === 'agent' ? 'bot' : 'human')),
    );
  });

  it('is played by the simulator: it listens, and its own send takes the chat', async () => {
    const digits = newDigits();
    const { conversation_id: id } = await receiveMessage(majlis, workspace, digits);
    const control = (path: string, body: object) =>
      fetch(`${majlis.simulator.url}/control/conversations/${workspace.phone_number_id}/${digits}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${majlis.simulator.control_token}` },
        body: JSON.stringify(body),
      });
    await majlis.advance(5);
    assert.equal((await control('handover', { to: 'agent' })).status, 200);
    await eventually(
      () => read(id),
      ({ controller }) => controller === 'bot',
    );
    assert.equal((await control('agent-message', { text: 'I am the assistant.' })).status, 201);
    const messages = async () => (await workspace.api.get(conversationPath(id, 'messages'))).body.data;
    await eventually(messages, (list) => list.at(-1).body === 'I am the assistant.' && list.at(-1).status === 'read');
    assert.equal((await badr.at('POST', `/conversations/${id}/messages`, textMessage)).status, 201);
    await eventually(messages, (list) => list.at(-1).status === 'read');
    assert.equal((await read(id)).controller, 'human');
  });
});
