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
      const isDoor = operation.scope === 'messages:write';
      assert.equal(reply.status === 403, isDoor, `${operation.id} ${reply.text}`);
      if (isDoor) assert.equal(reply.headers.get('www-authenticate')!.split('scope=')[1], '"messages:write"');
      if (operation.id === 'handOverConversation')
        await reader.post(`/conversations/${ids.conversation_id}/handover`, { to: 'human' });
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
});
