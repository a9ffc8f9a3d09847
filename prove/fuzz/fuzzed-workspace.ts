import { operatorToken } from '@majlis/testing/operator';
import type { BenchService } from '../../bench/service.ts';

export interface FuzzedWorkspace {
  key: string;
  get(path: string): Promise<{ data: { id?: string }[] }>;
}

/** A workspace with something of everything, so that requests meet what exists. */
export async function createFuzzedWorkspace({ url }: BenchService): Promise<FuzzedWorkspace> {
  const answer = await fetch(`${url}/operator/workspaces`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(file),
  });
  if (answer.status !== 200) throw new Error(`no workspace was made: ${await answer.text()}`);
  const { api_keys } = (await answer.json()) as { api_keys: { key: string }[] };
  const headers = { authorization: `Bearer ${api_keys[0]!.key}`, 'content-type': 'application/json' };
  for (let n = 1; n <= 20; n++) {
    const body = JSON.stringify({
      to: `+9689100000${n}`,
      kind: 'template',
      template: { ...template, params: ['Muna', 'A-1'] },
    });
    await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
  }
  return {
    key: api_keys[0]!.key,
    get: async (path) => {
      const { data = [] } = (await (await fetch(`${url}/v1${path}`, { headers })).json()) as {
        data?: { id?: string }[];
      };
      return { data };
    },
  };
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
