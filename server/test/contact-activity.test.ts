import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRun } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
const { api } = workspace;
const receive = messageReceiver(majlis, workspace);
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const chatapp = (digits: string) => ({ channel_type: 'chatapp', identifier: `+${digits}` });

const activityOf = async (contact_id: string) => (await api.get(`/contacts/${contact_id}`)).body.last_activity_at;
const newContact = async (digits = newDigits()) =>
  (await api.post('/contacts', { identities: [chatapp(digits)] })).body.id;

describe('the last activity of a contact', () => {
  it('is absent while nobody wrote, and begins with the message by which they are first written to', async () => {
    const digits = newDigits();
    const contact_id = await newContact(digits);
    assert.equal(await activityOf(contact_id), undefined);
    const first = await api.post('/messages', { to: `+${digits}`, ...template });
    assert.equal(await activityOf(contact_id), first.body.created_at);
    await majlis.advance(60);
    for (const to of [{ to: `+${digits}` }, { contact_id }]) {
      assert.equal((await api.post('/messages', { ...to, ...template })).status, 201);
    }
    assert.equal(await activityOf(contact_id), first.body.created_at);
    const { body } = await api.get('/contacts?limit=1');
    assert.equal(body.data[0].id, contact_id);
  });

  it('begins so too for who is new', async () => {
    const { body } = await api.post('/messages', { to: `+${newDigits()}`, ...template });
    const { contact_id } = (await api.get(`/conversations/${body.conversation_id}`)).body;
    assert.equal(await activityOf(contact_id), body.created_at);
  });

  it('does not begin with a run that writes nothing; nor has its conversation a last message', async () => {
    const steps = [{ do: 'set_stage', stage: 'Lead' }];
    const ids = await publishWorkflows(majlis, workspace, { name: 'Silent', trigger: 'api_call', steps });
    const run = await startRun(workspace, ids.get('Silent')!, chatapp(newDigits()));
    const { contact_id } = await untilRun(majlis, workspace, run, ({ status }) => status === 'completed');
    assert.equal(await activityOf(contact_id), undefined);
    const list = () => api.get(`/conversations?contact_id=${contact_id}`);
    const [conversation] = (await list()).body.data;
    assert.equal(conversation.last_message_at, undefined);
    const { body } = await api.post('/messages', { contact_id, ...template });
    assert.equal(body.conversation_id, conversation.id);
    assert.equal((await list()).body.data[0].last_message_at, body.created_at);
    assert.equal(await activityOf(contact_id), body.created_at);
  });

  it('is when they wrote, however late that is heard, of who is new and of who is known', async () => {
    const late = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().replace(/\.\d+Z/, '.000Z');
    const [first, second, known] = [late(5), late(4), await newContact()];
    const from = newDigits();
    const { actor_id } = await receive(from, 'text', 'One', { at: first });
    assert.equal(await activityOf(actor_id), first);
    await receive(from, 'text', 'Two', { at: second });
    assert.equal(await activityOf(actor_id), second);
    await receive(from, 'text', 'One more of before', { at: first });
    assert.equal(await activityOf(actor_id), second);
    assert.equal(await activityOf(known), undefined);
  });
});
