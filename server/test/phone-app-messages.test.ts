import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  receiveText,
  timestampNow,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { conversationPath, textMessage } from '@majlis/testing/start-conversations';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// Who wrote what was not sent by a person here (platform-2026, row 11).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

const businessNumber = '96880000001';
const echoOf = (digits: string, body: string): Record<string, unknown> => ({
  ...platformText(businessNumber, body, { id: `wamid.${randomUUID()}` }),
  to: digits,
});
async function sendersOf(id: string): Promise<Record<string, string | undefined>> {
  const { data } = (await badr.at('GET', `/conversations/${id}/thread`)).body;
  const messages = data.filter(({ type, direction }: Record<string, string>) => {
    return type === 'message' && direction === 'outbound';
  });
  return Object.fromEntries(messages.map(({ body, actor_kind }: Record<string, string>) => [body, actor_kind]));
}
async function previewOf(id: string, view = 'all') {
  const { data } = (await badr.at('GET', `/inbox?view=${view}`)).body;
  return data.find((row: { conversation: { id: string } }) => row.conversation.id === id).preview;
}

describe('the sender of a message that has no author here', () => {
  it('is the phone app where the platform reports one of a person, and not where it was sent here', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    await postNotification(majlis, workspace, { message_echoes: [echoOf(digits, 'Phone')] }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    assert.equal((await previewOf(id)).actor_kind, 'phone_app');
    assert.equal((await workspace.api.post(conversationPath(id, 'messages'), textMessage)).status, 201);
    assert.equal((await previewOf(id)).actor_kind, undefined);
    await postNotification(majlis, workspace, { message_echoes: [echoOf(digits, 'Assistant')] }, 'standby');
    await untilNotificationsProcessed(majlis);
    assert.equal((await previewOf(id)).actor_kind, 'platform_agent');
    assert.deepEqual(await sendersOf(id), {
      Phone: 'phone_app',
      [textMessage.body]: undefined,
      Assistant: 'platform_agent',
    });
    const { data } = (await workspace.api.get(conversationPath(id, 'messages'))).body;
    const outbound = data.filter(({ direction }: { direction: string }) => direction === 'outbound');
    assert.deepEqual(
      outbound.map(({ actor_kind, actor_id }: Record<string, string>) => [actor_kind, actor_id]),
      [
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('is the phone app of a question with buttons too, which stands there with its words', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const action = { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Today' } }] };
    const interactive = { type: 'button', body: { text: 'Which day?' }, action };
    const echo = { ...echoOf(digits, ''), type: 'interactive', interactive };
    await postNotification(majlis, workspace, { message_echoes: [echo] }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await sendersOf(id), { 'Which day?': 'phone_app' });
  });

  it('stays the phone app when the message is edited or deleted, and is told by its timeline', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const [kept, gone] = [echoOf(digits, 'Tomorow'), echoOf(digits, 'Wrong chat')];
    await postNotification(majlis, workspace, { message_echoes: [kept, gone] }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    const edit = { original_message_id: kept.id, message: { type: 'text', text: { body: 'Tomorrow' } } };
    const revoke = { original_message_id: gone.id };
    const reports = [
      { ...echoOf(digits, ''), type: 'edit', edit },
      { ...echoOf(digits, ''), type: 'revoke', revoke },
    ];
    await postNotification(majlis, workspace, { message_echoes: reports }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await sendersOf(id), { Tomorrow: 'phone_app', undefined: 'phone_app' });
    const { data } = (await badr.at('GET', `/conversations/${id}/thread`)).body;
    const { id: message_id } = data.find(({ body }: { body: string }) => body === 'Tomorrow');
    const { data: steps } = (await badr.at('GET', `/messages/${message_id}/timeline`)).body;
    assert.equal(steps[0].actor_kind, 'phone_app');
  });

  it('is the phone app in its history, and the customer where the customer wrote', async () => {
    const digits = newDigits();
    const said = (from: string, body: string) => platformText(from, body);
    const messages = [said(digits, 'Old question'), said(businessNumber, 'Old answer')];
    const chunk = { metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: [{ id: digits, messages }] };
    await postNotification(majlis, workspace, { history: [chunk] }, 'history');
    await untilNotificationsProcessed(majlis);
    const [row] = await eventually(
      async () => (await workspace.api.get(`/contacts?q=${digits}`)).body.data,
      (rows) => rows.length === 1,
    );
    const all = (await workspace.api.get('/conversations?limit=100')).body.data;
    const { id } = all.find(({ contact_id }: { contact_id: string }) => contact_id === row.id);
    const { data } = (await badr.at('GET', `/conversations/${id}/thread`)).body;
    assert.deepEqual(
      data.map(({ body, actor_kind }: Record<string, string>) => [body, actor_kind]),
      [
        ['Old question', 'contact'],
        ['Old answer', 'phone_app'],
      ],
    );
    assert.equal((await previewOf(id, 'closed')).actor_kind, 'phone_app');
  });

  it('is the platform’s agent in an edit whose message never came', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const edit = { original_message_id: 'wamid.unknown', message: { type: 'text', text: { body: 'We close at ten' } } };
    const report = { ...echoOf(digits, ''), type: 'edit', edit };
    await postNotification(majlis, workspace, { message_echoes: [report] }, 'standby');
    await untilNotificationsProcessed(majlis);
    await eventually(
      async () => {
        await majlis.advance(600);
        return sendersOf(id);
      },
      (senders) => senders['[edit] We close at ten'] === 'platform_agent',
    );
  });
});

it('counts as an answer by the moment of its writing, however late the platform reports it', async () => {
  const digits = newDigits();
  const id = await receiveText(majlis, workspace, digits);
  const read = async () => (await workspace.api.get(conversationPath(id))).body;
  const asked = await read();
  assert.equal(asked.unread_count, 1);
  const timestamp = String(Math.floor(Date.parse(asked.last_customer_at ?? asked.created_at) / 1000) - 60);
  const early = { ...echoOf(digits, 'Before the question'), timestamp };
  await postNotification(majlis, workspace, { message_echoes: [early] }, 'smb_message_echoes');
  await untilNotificationsProcessed(majlis);
  assert.equal((await read()).unread_count, 1);
  const answer = { ...echoOf(digits, 'The answer'), timestamp: await timestampNow(majlis) };
  await postNotification(majlis, workspace, { message_echoes: [answer] }, 'smb_message_echoes');
  await untilNotificationsProcessed(majlis);
  assert.equal((await read()).unread_count, 0);
});

it('counts as an answer to a message whose time is ahead of the clock here', async () => {
  const digits = newDigits();
  const now = Number(await timestampNow(majlis));
  const ahead = { timestamp: String(now + 3_000) };
  await postNotification(majlis, workspace, { messages: [platformText(digits, 'Are you open?', ahead)] });
  const answer = { ...echoOf(digits, 'Yes'), timestamp: String(now + 3_001) };
  await postNotification(majlis, workspace, { message_echoes: [answer] }, 'smb_message_echoes');
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get('/conversations?limit=100')).body;
  const own = data.find(({ contact_handle }: { contact_handle: string }) => contact_handle === `+${digits}`);
  assert.equal(own.unread_count, 0);
});
