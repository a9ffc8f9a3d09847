import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Operation, operations } from '@majlis/contract';
import { type Api, createApi } from '@majlis/testing/api';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const all: Operation[] = Object.values(operations);
const scopes = ['contacts:read', 'contacts:write'];

let workspace: TestWorkspace;
let reader: Api;
let writer: Api;
let ids: Record<string, string>;

before(async () => {
  workspace = await majlis.workspace({
    stages: [{ name: 'Customer' }],
    ai_agents: [{ name: 'Concierge', languages: ['en'] }],
    workflows: [
      {
        name: 'Greet',
        status: 'published',
        trigger: 'api_call',
        steps: [{ do: 'send_message', text: 'Hello' }],
      },
    ],
    api_keys: [
      { name: 'reader', scopes },
      { name: 'writer', scopes: [...scopes, 'messages:write'] },
    ],
  });
  const [first, second] = workspace.applied.api_keys;
  reader = createApi(majlis.url, first.key);
  writer = createApi(majlis.url, second.key);
  const conversation_id = await receiveText(majlis, workspace, newDigits());
  const { contact_id } = (await reader.get(`/conversations/${conversation_id}`)).body;
  ids = { conversation_id, contact_id, workflow_id: workspace.applied.workflows[0].id };
});

/** Bodies with which each door is open, where the example of the contract does not fit this workspace. */
function bodyOf({ id, example }: Operation): unknown {
  const text = { kind: 'text', body: 'Hello' };
  const bodies: Record<string, unknown> = {
    sendMessage: { contact_id: ids.contact_id, ...text },
    sendConversationMessage: text,
    createBroadcast: { name: 'Sale', template: { name: 'spring_sale', language: 'en' }, audience: { tags: ['vip'] } },
    startWorkflowRun: { contact: { id: ids.contact_id } },
    setWorkflowStatus: { status: 'published' },
    handOverConversation: { to: 'bot', ai_agent_id: workspace.applied.ai_agents[0].id },
    setConversationStage: { stage_id: workspace.applied.stages[0].id },
    closeConversation: { send_csat: false },
    assignConversation: { assignee_id: null },
  };
  return bodies[id] ?? example.body;
}

function call(api: Api, operation: Operation, body: unknown = bodyOf(operation)) {
  const path = operation.path
    .slice('/v1'.length)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? operation.example.params?.[name] ?? 'unknown');
  const query = new URLSearchParams(operation.example.query as Record<string, string>);
  return api.request(operation.method, `${path}?${query}`, operation.method === 'GET' ? undefined : body);
}

const count = async (table: string, condition = 'true') => {
  const id = [parseId('workspace', workspace.id)];
  const [row] = await majlis.sql<{ n: number }>(
    `select count(*)::int as n from ${table} where workspace_id = $1 and ${condition}`,
    id,
  );
  return row!.n;
};

describe('a key without messages:write', () => {
  const closes = all.find(({ id }) => id === 'closeConversation')!;
  // What the operation changes must not shut the doors behind it.
  const last = new Set(['closeConversation', 'deleteContact', 'mergeContact', 'updateContact']);
  const doors = [...all.filter(({ id }) => !last.has(id)), closes];

  it('can make no message leave by any operation', async () => {
    for (const operation of doors) {
      if (operation.id === 'uploadMedia') continue;
      const reply = await call(reader, operation);
      const isDoor = (operation.scope ?? operation.scope_with?.scope) === 'messages:write' && operation !== closes;
      assert.equal(reply.status === 403, isDoor, `${operation.id} ${reply.text}`);
      if (isDoor) assert.equal(reply.headers.get('www-authenticate')!.split('scope=')[1], '"messages:write"');
    }
    await reader.post(`/conversations/${ids.conversation_id}/reopen`);
    const survey = await call(reader, closes, { send_csat: true });
    assert.deepEqual([survey.status, survey.body.code], [403, 'insufficient_scope']);
    assert.equal((await reader.get(`/conversations/${ids.conversation_id}`)).body.status, 'open');
    assert.equal(await count('messages', "direction = 'outbound' and kind <> 'note'"), 0);
    assert.deepEqual([await count('broadcasts'), await count('workflow_runs')], [0, 0]);
  });

  it('finds each of these doors open once it has the scope', async () => {
    for (const id of ['sendMessage', 'sendConversationMessage', 'createBroadcast', 'startWorkflowRun']) {
      const reply = await call(writer, all.find((one) => one.id === id)!);
      assert.ok(reply.status < 300, `${id} ${reply.text}`);
    }
    assert.equal((await call(writer, closes, { send_csat: true })).status, 200);
  });

  it('hands over to people, and takes a workflow out of use', async () => {
    for (const [path, body] of [
      [`/conversations/${ids.conversation_id}/handover`, { to: 'human' }],
      [`/workflows/${ids.workflow_id}/status`, { status: 'paused' }],
    ] as const) {
      assert.equal((await reader.post(path, body)).status, 200, path);
    }
  });
});

describe('a change that starts a workflow', () => {
  const steps = [{ do: 'send_message', text: 'Welcome' }];
  const number = `+${newDigits()}`;
  const identities = [{ channel_type: 'chatapp', identifier: number }];
  let apart: TestWorkspace;
  let keys: { none: Api; contacts: Api; all: Api };
  let conversation_id: string;
  let contact_id: string;

  before(async () => {
    apart = await majlis.workspace({
      stages: [{ name: 'Customer' }],
      workflows: [
        { name: 'On stage', status: 'published', trigger: 'stage_changed', steps },
        { name: 'On tag', status: 'published', trigger: 'contact_tagged', steps },
      ],
      api_keys: [
        { name: 'none', scopes: [] },
        { name: 'contacts', scopes },
        { name: 'all', scopes: [...scopes, 'messages:write'] },
      ],
    });
    const [none, contacts, whole] = apart.applied.api_keys.map(({ key }: { key: string }) =>
      createApi(majlis.url, key),
    );
    keys = { none, contacts, all: whole };
    conversation_id = await receiveText(majlis, apart, number.slice(1));
    contact_id = (await keys.all.get(`/conversations/${conversation_id}`)).body.contact_id;
  });

  const stage_id = () => apart.applied.stages[0].id;
  const changes = (): Record<
    string,
    [Api, Api['request'] extends (...args: infer Args) => unknown ? Args : never]
  > => ({
    'the stage of a conversation': [
      keys.none,
      ['PUT', `/conversations/${conversation_id}/stage`, { stage_id: stage_id() }],
    ],
    'a tag of a contact': [keys.contacts, ['PATCH', `/contacts/${contact_id}`, { tags: ['vip'] }]],
    'the stage of a contact': [keys.contacts, ['PATCH', `/contacts/${contact_id}`, { stage_id: stage_id() }]],
    'an upsert': [keys.contacts, ['POST', '/contacts', { identities, tags: ['new'] }]],
    'an import': [keys.contacts, ['POST', '/contacts/import', { contacts: [{ identities, tags: ['imported'] }] }]],
  });

  it('needs the scope of sending, and else changes nothing', async () => {
    for (const [title, [api, request]] of Object.entries(changes())) {
      const reply = await api.request(...request);
      assert.deepEqual([reply.status, reply.body.code], [403, 'insufficient_scope'], `${title} ${reply.text}`);
      assert.match(reply.headers.get('www-authenticate')!, /scope="messages:write"/);
    }
    const tagged = await keys.all.post('/contacts', {
      identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }],
      tags: ['merged'],
    });
    const merge = ['POST', `/contacts/${contact_id}/merge`, { source_contact_id: tagged.body.id }] as const;
    assert.equal((await keys.contacts.request(...merge)).status, 403);
    const { tags, stage_id: stage } = (await keys.all.get(`/contacts/${contact_id}`)).body;
    assert.deepEqual([tags, stage], [[], undefined]);
    assert.equal((await keys.all.get(`/conversations/${conversation_id}`)).body.stage_id, undefined);
    const begun = await majlis.sql(`select from messages where conversation_id = $1 and direction = 'outbound'`, [
      parseId('conversation', conversation_id),
    ]);
    assert.deepEqual(begun, []);
  });

  it('is free where it starts none', async () => {
    assert.equal(
      (await keys.contacts.request('PATCH', `/contacts/${contact_id}`, { name: 'Muna', tags: [] })).status,
      200,
    );
    assert.equal(
      (await keys.none.request('PUT', `/conversations/${conversation_id}/stage`, { stage_id: null })).status,
      200,
    );
    assert.equal((await keys.contacts.post('/contacts', { identities, language: 'ar' })).status, 200);
  });

  it('is made with the scope', async () => {
    for (const [title, [, request]] of Object.entries(changes())) {
      const reply = await keys.all.request(...request);
      assert.ok(reply.status < 300, `${title} ${reply.text}`);
    }
  });
});
