import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
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
}

it('nothing of them is kept as a notice', async () => {
  assert.deepEqual((await admin.at('GET', '/platform-notices')).body.data, []);
});
