import { type Api, createApi } from '@majlis/testing/api';
import { callOperator, requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import type { Names } from './bounded-requests.ts';

const text = '{{trigger.variables.text}}';
const onward = { on_error: 'continue' };

/** Adds to the workspace an owner, what requests name, and a workflow that uses its variable in every way. */
export async function fillWorkspace(
  url: string,
  workspace: string,
  to: string,
): Promise<{ names: Names; owner: Member }> {
  const applied = await callOperator(url, 'PUT', '/workspaces', {
    workspace: { name: workspace },
    wallet: { balance_minor: 1_000_000, currency: 'OMR' },
    prices: { utility: 8 },
    rates: ['SA', 'AE', 'OM'].map((country, n) => ({ category: 'utility', country, fee_minor: 10 + n })),
    allowances: [{ category: 'utility', messages: 1_000 }],
    users: ['Omar Ali', 'Aisha Said', 'أحمد الحارثي'].map((name, n) => ({ name, email: `user${n}@acme.example` })),
    stages: [{ name: 'Customer' }],
    closing_categories: [{ name: 'Resolved' }],
    ai_agents: [{ name: 'Concierge' }],
    templates: [
      {
        ...{ name: 'order_update', language: 'en', category: 'utility', status: 'approved' },
        components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left.', examples: ['Muna', 'A-1'] }],
      },
    ],
    workflows: [{ name: 'Echo', trigger: 'api_call', status: 'published', steps }],
    api_keys: [{ name: 'bounds', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
  });
  const other = await callOperator(url, 'PUT', '/workspaces', {
    workspace: { name: 'Neighbour' },
    api_keys: [{ name: 'bounds', environment: 'test', scopes: ['contacts:read'] }],
  });
  const key = applied.api_keys[0].key;
  const api = createApi(url, key);
  await api.post('/custom-fields', { key: 'text', type: 'text' });
  const conversation_id = (await api.get('/conversations')).body.data[0].id;
  const names: Names = {
    ...{ key, neighbour_key: other.api_keys[0].key, to, conversation_id },
    contact_id: await firstOf(api, '/contacts'),
    message_id: await firstOf(api, `/conversations/${conversation_id}/messages`),
    user_id: await firstOf(api, '/users'),
    workflow_id: await firstOf(api, '/workflows'),
    channel_id: await firstOf(api, '/channels'),
  };
  const endpoint = { url: 'https://acme.example', events: ['template.status_updated'] };
  names.endpoint_id = (await api.post('/webhook-endpoints', endpoint)).body.id;
  const operator = (method: string, path: string, body?: object) => requestOperator(url, method, path, body);
  const owner = await joinWorkspace({ url, operator }, { id: applied.workspace.id, applied });
  const make = async (path: string, body: object) => (await owner.at('POST', path, body)).body;
  return {
    owner,
    names: {
      ...names,
      ...{ workspace_id: applied.workspace.id, email: owner.email, kind: 'reply' },
      stage_id: applied.stages[0].id,
      view_id: (await make('/views', { name: 'Open', filter: {} })).id,
      canned_reply_id: (await make('/canned-replies', { name: 'hello', body: 'Hello' })).id,
    },
  };
}

const steps = [
  {
    do: 'branch',
    cases: [
      {
        when: [{ value: text, contains: ['never', 'ever'] }],
        steps: [{ do: 'end' }],
      },
      {
        when: [{ not: { value: text, starts_with: 'x' } }, { value: text, equals: 'never' }],
        steps: [{ do: 'end' }],
      },
    ],
    ...onward,
  },
  { do: 'add_note', text: `@Omar @${text}`, ...onward },
  { do: 'set_tag', tag: text, ...onward },
  { do: 'set_field', field: 'text', value: text, ...onward },
  { do: 'send_message', text: `${text}${text}`, ...onward },
  { do: 'send_template', template: 'order_update', language: 'en', params: [text, text], ...onward },
  { do: 'call', url: `https://acme.example/${text}`, body: { text }, ...onward },
];

async function firstOf(api: Api, path: string): Promise<string> {
  return (await api.get(path)).body.data[0].id;
}
