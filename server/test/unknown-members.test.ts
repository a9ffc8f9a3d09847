import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRun } from '@majlis/testing/workflows';

// What a request has beyond its schema means nothing, even under a name that the service has for something else.

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const newIdentity = () => ({ channel_type: 'chatapp', identifier: `+${newDigits()}` });

async function contactWith(body: object, status = 201): Promise<AnyJson> {
  const answer = await api.post('/contacts', body);
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

describe('a member that an operation does not offer', () => {
  it('neither blocks nor unblocks a contact that is upserted', async () => {
    for (const blocked of [true, 'foo', {}, null, 2]) {
      const identities = [newIdentity()];
      assert.equal((await contactWith({ identities, blocked })).blocked, false);
      assert.equal((await contactWith({ identities, blocked }, 200)).blocked, false);
    }
    const identities = [newIdentity()];
    const { id } = await contactWith({ identities });
    await api.request('PATCH', `/contacts/${id}`, { blocked: true });
    assert.equal((await contactWith({ identities, blocked: false }, 200)).blocked, true);
  });

  it('neither blocks nor unblocks a contact that is imported', async () => {
    const [known, unknown] = [newIdentity(), newIdentity()];
    const { id } = await contactWith({ identities: [known] });
    await api.request('PATCH', `/contacts/${id}`, { blocked: true });
    const contacts = [
      { identities: [known], blocked: false },
      { identities: [unknown], blocked: 'maybe' },
    ];
    assert.deepEqual((await api.post('/contacts/import', { contacts })).body, { created: 1, updated: 1, failed: [] });
    const { data } = (await api.get('/contacts')).body;
    const blockedOf = ({ identifier }: { identifier: string }) =>
      data.find(({ identities }: AnyJson) => identities[0].identifier === identifier).blocked;
    assert.deepEqual([blockedOf(known), blockedOf(unknown)], [true, false]);
  });

  it('gives no opt-in to a contact that is changed', async () => {
    const { id, consents } = await contactWith({ identities: [newIdentity()] });
    for (const given of ['xy', { chatapp_marketing: 'no' }, { chatapp_marketing: true }, { a: 1 }]) {
      const { status, body } = await api.request('PATCH', `/contacts/${id}`, { consents: given });
      assert.equal(status, 200);
      assert.deepEqual(body.consents, consents);
    }
  });

  it('leaves no run in a conversation that is closed', async () => {
    const steps = [{ do: 'ask', name: 'what', text: 'What is it?', within: '1h' }];
    const ids = await publishWorkflows(majlis, workspace, { name: 'Question', trigger: 'api_call', steps });
    const digits = newDigits();
    const conversation_id = await receiveText(majlis, workspace, digits);
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    const run = await startRun(workspace, ids.get('Question')!, contact);
    await untilRun(majlis, workspace, run, ({ steps }) => steps.length > 0);
    assert.equal((await api.post(`/conversations/${conversation_id}/close`, { ends_runs: false })).status, 200);
    await untilRun(majlis, workspace, run, ({ status }) => status === 'cancelled');
  });
});

describe('a misspelled member', () => {
  const identity = newIdentity();
  const cases: [string, object, string, string][] = [
    ['/contacts', { identites: [identity] }, '/identities', 'is required; "identites" is not known'],
    [
      '/contacts',
      { identities: [{ ...identity, identifier: undefined, Identifer: '1' }] },
      '/identities/0/identifier',
      'is required; "Identifer" is not known',
    ],
    [
      '/messages',
      { to: '+96891234567', kind: 'text', boddy: 'Hi' },
      '/body',
      'is required for this kind; "boddy" is not known',
    ],
    ['/messages', { to: '+96891234567', knid: 'text', body: 'Hi' }, '/kind', 'is required'],
    ['/contacts', { name: 'Muna' }, '/identities', 'is required'],
    [
      '/webhook-endpoints',
      { urls: 'https://example.com', event: ['*'] },
      '/events',
      'is required; "event" is not known',
    ],
  ];
  for (const [path, body, pointer, detail] of cases) {
    it(`${JSON.stringify(body)}: ${detail}`, async () => {
      const refused = await api.post(path, body);
      assert.equal(refused.status, 422, refused.text);
      const fault = refused.body.errors.find((one: AnyJson) => one.pointer === pointer);
      assert.equal(fault?.detail, detail, refused.text);
    });
  }

  it('is no fault where no member is missing', async () => {
    await contactWith({ identities: [newIdentity()], nmae: 'Muna' });
  });
});

describe('a cursor', () => {
  it('is good for its filters in any order, and beside parameters that mean nothing', async () => {
    const tags = ['paged'];
    for (let n = 0; n < 3; n++) await contactWith({ name: `Paged ${n}`, identities: [newIdentity()], tags });
    const { next_cursor } = (await api.get('/contacts?tag=paged&q=paged&limit=2')).body;
    const rest = await api.get(`/contacts?_=1&limit=2&q=paged&cursor=${next_cursor}&tag=paged`);
    assert.equal(rest.status, 200, rest.text);
    assert.equal(rest.body.data.length, 1);

    for (let n = 0; n < 3; n++) await receiveText(majlis, workspace, newDigits());
    const filters = ['status=open', 'channel_type=chatapp', 'limit=2'];
    const conversations = (await api.get(`/conversations?${filters.join('&')}`)).body;
    const further = await api.get(
      `/conversations?x=1&${filters.reverse().join('&')}&cursor=${conversations.next_cursor}`,
    );
    assert.equal(further.status, 200, further.text);
    assert.notEqual(further.body.data[0].id, conversations.data[0].id);
  });
});
