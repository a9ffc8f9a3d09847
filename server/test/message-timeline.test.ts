import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { TimelineStep } from '@majlis/console-api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
let agent: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
  agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Badr' });
});

const timeline = async (id: string, person = owner) => {
  const { status, body } = await person.at('GET', `/messages/${id}/timeline`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data as TimelineStep[];
};
const names = (steps: TimelineStep[]) => steps.filter(({ step }) => step !== 'event').map(({ step }) => step);
const until = (id: string, step: string, person = owner) =>
  eventually(
    () => timeline(id, person),
    (steps) => names(steps).includes(step as TimelineStep['step']),
  );

describe('the timeline of a message', () => {
  it('tells a send from its acceptance to the platform’s last status, with the times of the platform', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const sent = await agent.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hello' });
    const steps = await until(sent.body.id, 'read');
    const told = ['accepted', 'allowed_in_window', 'dispatched', 'platform_accepted', 'sent', 'delivered', 'read'];
    // A status may come before the answer to the call, and the platform's clock counts whole seconds.
    assert.deepEqual(new Set(names(steps)).size, names(steps).length);
    for (const step of names(steps)) assert.ok(told.includes(step), step);
    for (const step of ['accepted', 'allowed_in_window', 'read']) assert.ok(names(steps).includes(step as never), step);
    assert.deepEqual([steps[0]!.step, steps.find(({ step }) => step === 'accepted')!.actor_name].at(-1), 'Badr');
    const [row] = await majlis.sql<{ read_at: Date }>(`select read_at from messages where direction = 'outbound'`);
    assert.equal(steps.find(({ step }) => step === 'read')!.at, row!.read_at.toISOString());
  });

  it('says why a send failed, in the words of the platform', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, '96890131026');
    const sent = await owner.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hello' });
    const failed = (await until(sent.body.id, 'failed')).find(({ step }) => step === 'failed')!;
    assert.equal(failed.code, '131026');
    assert.match(failed.detail!, /^131026: /);
    assert.ok(failed.at);
  });

  it('says what a waiting message is held back by, and for how long', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    await majlis.sql(`insert into job_groups select 'messages.deliver_message', id, 'infinity' from channels`);
    const sent = await owner.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hello' });
    assert.deepEqual((await timeline(sent.body.id)).at(-1), { step: 'held_back' });
    const soon = `now() + interval '1 hour'`;
    await majlis.sql(`update job_groups set paused_until = ${soon} where kind = 'messages.deliver_message'`);
    assert.ok((await timeline(sent.body.id)).at(-1)!.until);
    await majlis.sql('delete from job_groups');
  });

  it('tells templates, notes and received messages apart', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    assert.deepEqual(names(await timeline(message_id)), ['received']);
    const note = await owner.at('POST', `/conversations/${conversation_id}/notes`, { body: 'Call her' });
    const [noted] = await timeline(note.body.id);
    assert.deepEqual([noted!.step, noted!.actor_name], ['noted', 'Aisha']);
    const cold = await workspace.api.post('/messages', { to: newDigits(), ...templateMessage });
    assert.ok(names(await timeline(cold.body.id)).includes('allowed_by_template'));
  });

  it('shows admins where its events went, and agents only that they went out', async () => {
    const own = await majlis.workspace();
    const admin = await joinWorkspace(majlis, own, { role: 'admin' });
    const worker = await joinWorkspace(majlis, own, { role: 'agent' });
    const receiver = await startWebhookReceiver();
    const made = await own.api.post('/webhook-endpoints', { url: receiver.url, events: ['message.received'] });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { message_id } = await receiveMessage(majlis, own, newDigits());
    const steps = await eventually(
      () => timeline(message_id, admin),
      (all) => all.some(({ deliveries }) => deliveries?.[0]?.outcome === 'delivered'),
    );
    const event = steps.find(({ step }) => step === 'event')!;
    assert.deepEqual(
      [event.code, event.deliveries!.map(({ url, attempt, response_status }) => [url, attempt, response_status])],
      ['message.received', [[receiver.url, 1, 200]]],
    );
    const told = (await timeline(message_id, worker)).filter(({ step }) => step === 'event');
    assert.deepEqual(told, [{ step: 'event', at: event.at, code: 'message.received' }]);
  });

  it('is out of reach for people who may not see the message', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    await owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id: null });
    assert.equal((await limited.at('GET', `/messages/${message_id}/timeline`)).status, 404);
    assert.equal((await owner.at('GET', `/messages/msg_x/timeline`)).status, 404);
  });
});
