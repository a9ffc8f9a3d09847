import { type Api, createApi } from '@majlis/testing/api';
import { callOperator } from '@majlis/testing/operator';

/** Creates a workspace with one row of each kind, so that requests name rows that exist. Answers its key and its client. */
export async function createFuzzedWorkspace(url: string): Promise<{ key: string; api: Api }> {
  const { key } = (await callOperator(url, 'PUT', '/workspaces', file)).api_keys[0];
  const api = createApi(url, key);
  const message = { kind: 'template', template: { ...template, params: ['Muna', 'A-1'] } };
  for (let n = 1; n <= 20; n++) await api.post('/messages', { to: `+9689100000${n}`, ...message });
  return { key, api };
}

const template = { name: 'order_update', language: 'en' };

const file = {
  workspace: { name: 'Fuzzed', country: 'OM', timezone: 'Asia/Muscat', language: 'ar' },
  wallet: { balance_minor: 500_000, currency: 'OMR' },
  channels: [
    {
      type: 'chatapp',
      name: 'Support',
      display_phone: '+96880000001',
      verified_name: 'Fuzzed',
      phone_number_id: '550001',
      waba_id: '660001',
      app_secret: 'app-secret',
      access_token: 'token',
      verify_token: 'verify',
    },
  ],
  templates: [
    {
      ...template,
      category: 'utility',
      components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left.', examples: ['Muna', 'A-1'] }],
    },
  ],
  users: [{ name: 'Aisha Said', email: 'aisha@acme.example', role: 'admin' }],
  teams: [{ name: 'Sales', members: ['aisha@acme.example'] }],
  stages: [{ name: 'Customer' }],
  closing_categories: [{ name: 'Resolved' }],
  ai_agents: [{ name: 'Concierge', languages: ['ar'] }],
  api_keys: [{ name: 'fuzz', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
};
