import { callOperator } from '@majlis/testing/operator';
import { parseId } from '../server/src/database/ids.ts';
import type { BenchEnvironment } from './environment.ts';

export interface BenchTenant {
  workspace_id: string;
  key: string;
  phone_number_id: string;
  waba_id: string;
  app_secret: string;
}

export const contactsPerTenant = 1_000;

/** The number of the nth customer, so that every section can address it. */
export function customerNumber(n: number): string {
  return `9689${1_000_001 + (n % contactsPerTenant)}`;
}

/** Workspaces with one number and contacts, each with a conversation with an open window. */
export async function createTenants(stage: BenchEnvironment, count: number): Promise<BenchTenant[]> {
  const { db } = stage;
  const tenants = await makeWorkspaces(stage, count);
  await db.query(`
    insert into contacts (workspace_id, id, created_at)
    select w.id, gen_random_uuid(), now() from workspaces w, generate_series(1, ${contactsPerTenant})`);
  await db.query(`
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, wa_id, created_at)
    select workspace_id, 'chatapp', '+9689' || 1000000 + n, id, '9689' || 1000000 + n, now()
    from (select *, row_number() over (partition by workspace_id order by id) as n from contacts) c`);
  await db.query(`
    insert into conversations
      (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, window_expires_at, created_at)
    select c.workspace_id, gen_random_uuid(), c.id, ch.id, 'chatapp', now(), now() + interval '1 day', now()
    from contacts c join channels ch using (workspace_id)`);
  await db.query('vacuum analyze');
  return tenants;
}

/** Workspaces with one number and nobody else. */
export async function makeWorkspaces({ db, start }: BenchEnvironment, count: number): Promise<BenchTenant[]> {
  const service = await start('api');
  const tenants: BenchTenant[] = [];
  for (let n = 0; n < count; n++) tenants.push(await createTenant(service.url, n));
  await service.stop();
  await db.query('truncate jobs');
  return tenants;
}

async function createTenant(url: string, n: number): Promise<BenchTenant> {
  const number = { phone_number_id: `440000${n}`, waba_id: `330000${n}`, app_secret: `app-secret-${n}` };
  const file = {
    workspace: { name: `Bench ${n}`, country: 'OM' },
    channels: [{ type: 'chatapp', name: 'Support', display_phone: '+96880000001', verified_name: 'Bench', ...number }],
    api_keys: [{ name: 'bench', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
  };
  Object.assign(file.channels[0]!, { access_token: `token-${n}`, verify_token: `verify-${n}` });
  const { workspace, api_keys } = await callOperator(url, 'PUT', '/workspaces', file);
  return { workspace_id: parseId('workspace', workspace.id)!, key: api_keys[0].key, ...number };
}
