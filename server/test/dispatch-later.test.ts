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
import { platformStatus, postNotification, receiveText } from '@majlis/testing/notifications';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// What happens between acceptance and dispatch: messages are accepted while no worker runs, then one is started.
const platform = await startScriptedPlatform();
const env = { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' };
const majlis = await startTestService({ env: { ...env, ROLES: 'api' } });
const workspace = await majlis.workspace();

const callsFor = (id: string) => platform.calls.filter((call) => call.callback_data === id);

/** Runs a worker while `work` lasts, then drains it. */
async function withWorker<Result>(work: (worker: TestService) => Promise<Result>): Promise<Result> {
  const worker = await majlis.another({ ROLES: 'worker' });
  const result = await work(worker);
  await worker.stop();
  return result;
}

const greeting = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
const sale = { name: 'spring_sale', language: 'en' };

async function deleteSale({ api }: TestWorkspace): Promise<void> {
  const { body } = await api.get('/chatapp/templates');
  const { id } = body.data.find(({ name }: { name: string }) => name === sale.name);
  assert.equal((await api.request('DELETE', `/chatapp/templates/${id}`)).status, 204);
}

const hear = () => withWorker(() => receiveText(majlis, workspace, newDigits()));
const dispatch = () => withWorker(() => untilDispatched(majlis));

it('an interrupted run is not repeated: the message waits for the platform’s word', async () => {
  const id = await sendText(workspace, await hear());
  await majlis.sql(`update jobs set started_at = now(), attempts = 1 where kind = 'messages.deliver_message'`);
  await dispatch();
  assert.equal((await readStoredMessage(majlis, id)).outcome_unknown, true);
  assert.equal(callsFor(id).length, 0);
});

it('a message that the platform has failed already is not sent', async () => {
  const id = await sendText(workspace, await hear());
  const jobs = `kind = 'messages.deliver_message'`;
  await majlis.sql(`update jobs set run_at = run_at + interval '1 day' where ${jobs}`);
  const status = platformStatus('wamid.failed', 'failed', { biz_opaque_callback_data: id });
  await postNotification(majlis, workspace, { statuses: [status] });
  await withWorker(() => untilStatus(majlis, id, 'failed'));
  await majlis.sql(`update jobs set run_at = run_at - interval '1 day' where ${jobs}`);
  await dispatch();
  assert.equal(callsFor(id).length, 0);
});

it('what a contact is owed is not sent once they are blocked: it fails and says why', async () => {
  const conversation = await hear();
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push(await sendText(workspace, conversation));
  platform.script(async (call) => {
    if (call.callback_data === ids[9]) {
      await majlis.sql(
        'update contacts set blocked = true where id = (select contact_id from conversations where id = $1)',
        [parseId('conversation', conversation)],
      );
    }
    acceptSend(call);
  });
  await dispatch();
  for (const id of ids.slice(0, 10)) assert.equal((await readStoredMessage(majlis, id)).status, 'queued');
  for (const id of ids.slice(10)) {
    assert.equal(callsFor(id).length, 0);
    const { status, error } = await readStoredMessage(majlis, id);
    assert.deepEqual(
      { status, error },
      { status: 'failed', error: 'The contact was blocked before the message was sent.' },
    );
  }
});

for (const [what, change] of [
  ['closed', `status = 'closed'`],
  ['handed to a bot', `controller = 'bot'`],
  ['closed by time', `window_expires_at = now() - interval '1 day'`],
] as const) {
  it(`what was accepted before its conversation was ${what} is sent`, async () => {
    const conversation = await hear();
    const id = await sendText(workspace, conversation);
    await majlis.sql(`update conversations set ${change} where id = $1`, [parseId('conversation', conversation)]);
    await dispatch();
    assert.equal(callsFor(id).length, 1);
    assert.notEqual((await readStoredMessage(majlis, id)).platform_message_id, null);
  });
}

for (const [status, reason] of [
  [`'paused'`, 'paused'],
  [`'disabled'`, 'disabled'],
] as const) {
  it(`a template that is ${reason} by then is not sent, nor tried again`, async () => {
    const { body } = await workspace.api.post('/messages', {
      to: `+${newDigits()}`,
      kind: 'template',
      template: greeting,
    });
    await majlis.sql(`update templates set status = ${status} where name = 'order_update'`);
    await dispatch();
    const { error } = await untilStatus(majlis, body.id, 'failed');
    assert.equal(error, `The template is no longer approved: it is ${reason}.`);
    assert.equal(callsFor(body.id).length, 0);
    await majlis.sql(`update templates set status = 'approved'`);
  });
}

it('what was accepted before its template was deleted is sent', async () => {
  const to = `+${newDigits()}`;
  await workspace.api.post('/messages', { to, kind: 'template', template: greeting });
  await majlis.sql(`update contacts set consents = '{"chatapp_marketing":true}'`);
  const { body } = await workspace.api.post('/messages', { to, kind: 'template', template: sale });
  await deleteSale(workspace);
  await dispatch();
  assert.equal(callsFor(body.id).length, 1);
});

for (const [what, end] of [
  ['is approved still', async () => {}],
  ['was deleted', deleteSale],
] as const) {
  it(`marketing is not sent once the opt-in is withdrawn, though its template ${what}`, async () => {
    const workspace = await majlis.workspace();
    const to = `+${newDigits()}`;
    const identities = [{ channel_type: 'chatapp', identifier: to }];
    const choose = (chatapp_marketing: boolean) =>
      workspace.api.post('/contacts', { identities, consents: { chatapp_marketing } });
    assert.equal((await choose(true)).status, 201);
    const { body } = await workspace.api.post('/messages', { to, kind: 'template', template: sale });
    const { body: other } = await workspace.api.post('/messages', { to, kind: 'template', template: greeting });
    assert.equal((await choose(false)).status, 200);
    await end(workspace);
    await dispatch();
    const { error } = await untilStatus(majlis, body.id, 'failed');
    const reason = 'A marketing template needs the opt-in of the contact, consents.chatapp_marketing.';
    assert.equal(error, `unprocessable_content: ${reason}`);
    assert.deepEqual([callsFor(body.id).length, callsFor(other.id).length], [0, 1]);
  });
}

describe('a worker that is stopped', () => {
  it('leaves no message in doubt, and none is sent twice', async () => {
    const conversations: string[] = [];
    await withWorker(async () => {
      for (let n = 0; n < 40; n++) conversations.push(await receiveText(majlis, workspace, newDigits()));
    });
    platform.script((call) => void setTimeout(acceptSend, 60, call));
    const ids: string[] = [];
    for (let round = 0; round < 10; round++) {
      ids.push(...(await Promise.all(conversations.map((conversation) => sendText(workspace, conversation)))));
    }
    let stops = 0;
    while ((await majlis.sql(`select from jobs where kind = 'messages.deliver_message'`)).length > 0) {
      const before = platform.calls.length;
      await withWorker(() =>
        eventually(
          () => platform.calls.length,
          (calls) => calls > before,
        ),
      );
      stops++;
    }
    assert.ok(stops > 1, 'no worker was stopped in the midst of it');
    for (const id of ids) {
      const { outcome_unknown, platform_message_id } = await untilMessage(majlis, id, () => true);
      assert.deepEqual({ id, outcome_unknown, calls: callsFor(id).length }, { id, outcome_unknown: false, calls: 1 });
      assert.notEqual(platform_message_id, null);
    }
  });
});
