import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

// What a customer said is never lost, however the platform writes its time.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const seconds = Math.floor(Date.now() / 1000) - 3_600;
const written = new Date(seconds * 1000).toISOString();

const told = { 'in milliseconds': String(seconds * 1000), 'as a text': written };
const untold = {
  missing: undefined,
  null: null,
  'a word': 'soon',
  zero: '0',
  negative: '-5',
  'three days ahead': String(seconds + 3 * 86_400),
};

async function lastActivityAfter(from: string, value: Record<string, unknown>, field?: string): Promise<number> {
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
  const { data } = (await workspace.api.get(`/contacts?q=${from}`)).body;
  assert.equal(data.length, 1);
  return Date.parse(data[0].last_activity_at);
}

for (const [how, timestamp] of Object.entries({ ...told, ...untold })) {
  const isTold = how in told;
  const requireTime = (at: number, begin: number) => {
    if (isTold) assert.equal(at, Date.parse(written));
    else assert.ok(at >= begin - 1_000 && at <= Date.now() + 1_000, new Date(at).toISOString());
  };

  it(`a message whose time is ${how} stands in its conversation`, async () => {
    const [from, begin] = [newDigits(), Date.now()];
    requireTime(await lastActivityAfter(from, { messages: [platformText(from, 'Hi', { timestamp })] }), begin);
    const { data } = (await workspace.api.get('/conversations')).body;
    const [{ id }] = data.filter((one: { contact_handle: string }) => one.contact_handle === `+${from}`);
    const messages = (await workspace.api.get(`/conversations/${id}/messages`)).body.data;
    assert.deepEqual(
      messages.map(({ body }: { body: string }) => body),
      ['Hi'],
    );
  });

  it(`a message of the phone whose time is ${how} stands in its conversation`, async () => {
    const [to, begin] = [newDigits(), Date.now()];
    const echo = { ...platformText('96880000001', 'Ours', { timestamp }), to };
    requireTime(await lastActivityAfter(to, { message_echoes: [echo] }, 'smb_message_echoes'), begin);
  });

  it(`a call whose time is ${how} stands in its conversation`, async () => {
    const [from, begin] = [newDigits(), Date.now()];
    const call = { id: `wacid.${randomUUID()}`, from, to: '96880000001', event: 'connect', timestamp };
    requireTime(await lastActivityAfter(from, { calls: [{ ...call, direction: 'USER_INITIATED' }] }, 'calls'), begin);
  });

  it(`a change of number whose time is ${how} is followed`, async () => {
    const [from, to] = [newDigits(), newDigits()];
    await lastActivityAfter(from, { messages: [platformText(from, 'Hi', { timestamp: String(seconds - 60) })] });
    const system = { type: 'user_changed_number', wa_id: to };
    const change = { id: `wamid.${randomUUID()}`, from, timestamp, type: 'system', system };
    await lastActivityAfter(to, { messages: [change] });
  });

  it(`a click and a payment whose time is ${how} stand in the conversation`, async () => {
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const click = {
      ...{ action_type: 'marketing_messages_link_click', from: digits, timestamp },
      marketing_messages_link_click_data: { click_component: 'cta', click_id: randomUUID() },
    };
    const payment = { id: 'wamid.untold', recipient_id: digits, type: 'payment', status: 'pending', timestamp };
    const paid = (status: string, more: object) => ({ ...payment, status, payment: { reference_id: 'A-1' }, ...more });
    const begin = Date.now();
    await postNotification(majlis, workspace, { user_actions: [click] });
    await postNotification(majlis, workspace, { statuses: [paid('pending', {})] });
    await untilNotificationsProcessed(majlis);
    // A report of the next minute still counts.
    const later = String(Math.floor(Date.now() / 1000) + 60);
    await postNotification(majlis, workspace, { statuses: [paid('captured', { timestamp: later })] });
    await untilNotificationsProcessed(majlis);
    const { data } = (await admin.at('GET', `/conversations/${conversation_id}/thread`)).body;
    const lines = data.filter(({ kind }: { kind: string }) => ['link_clicked', 'payment_reported'].includes(kind));
    assert.equal(lines.length, 2);
    for (const { created_at } of lines) requireTime(Date.parse(created_at), begin);
    assert.equal(lines.find(({ kind }: { kind: string }) => kind === 'payment_reported').payment.status, 'captured');
  });

  it(`a stop of marketing whose time is ${how} counts, and so does a later choice`, async () => {
    const digits = newDigits();
    const { contact_id } = await receiveMessage(majlis, workspace, digits);
    const consent = async () => (await workspace.api.get(`/contacts/${contact_id}`)).body.consents;
    const choose = async (value: 'stop' | 'resume', at: unknown) => {
      const choice = { wa_id: digits, detail: '', category: 'marketing_messages', value, timestamp: at };
      await postNotification(majlis, workspace, { user_preferences: [choice] }, 'user_preferences');
      await untilNotificationsProcessed(majlis);
    };
    await choose('stop', timestamp);
    assert.equal((await consent()).chatapp_marketing, false);
    await choose('resume', Math.floor(Date.now() / 1000) + 60);
    assert.equal((await consent()).chatapp_marketing, true);
  });

  it(`a name of the address book whose time is ${how} is taken, and so is a later one`, async () => {
    const digits = newDigits();
    const { contact_id } = await receiveMessage(majlis, workspace, digits);
    const name = async (full_name: string, at: unknown) => {
      const contact = { full_name, phone_number: digits };
      const entry = { type: 'contact', contact, action: 'add', metadata: { timestamp: at } };
      await postNotification(majlis, workspace, { state_sync: [entry] }, 'smb_app_state_sync');
      await untilNotificationsProcessed(majlis);
      return (await workspace.api.get(`/contacts/${contact_id}`)).body.name;
    };
    assert.equal(await name('Muna', timestamp), 'Muna');
    assert.equal(await name('Muna Said', String(Math.floor(Date.now() / 1000) + 60)), 'Muna Said');
  });
}

it('nothing of them is kept as a notice', async () => {
  assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
});
