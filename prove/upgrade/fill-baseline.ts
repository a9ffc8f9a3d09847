import type pg from 'pg';
import { searchKey } from '../../server/src/database/search-key.ts';

export const workspaceName = 'Acme';
export const phone_number_id = '4400015';
export const waba_id = '3300015';
export const messagesEach = 5;
export const tags = ['vip', 'retail', 'muscat'];

/** Contacts with a conversation and messages each, in the tables of the baseline. */
export async function fillBaseline(client: pg.ClientBase, contacts: number): Promise<void> {
  await client.query(`insert into workspaces (id, name, country, timezone, created_at)
    values (gen_random_uuid(), '${workspaceName}', 'OM', 'Asia/Muscat', now())`);
  await client.query(
    `insert into wallets (workspace_id, balance_minor, currency) select id, 500000, 'OMR' from workspaces`,
  );
  await client.query(`
    insert into channels (workspace_id, id, type, name, waba_id, phone_number_id, access_token, app_secret,
      app_secret_fingerprint, verify_token, verify_token_fingerprint, created_at)
    select id, gen_random_uuid(), 'chatapp', 'Support', '${waba_id}', '${phone_number_id}', '\\x00', '\\x00', '\\x00', '\\x00', '\\x00', now()
    from workspaces`);
  const names = Array.from({ length: contacts }, (_, n) => `Muna ${n + 1}`);
  await client.query(
    `insert into contacts (workspace_id, id, name, name_key, tags, last_activity_at, created_at)
     select w.id, gen_random_uuid(), named.name, name_key, case when n % 3 = 0 then array[($3::text[])[n / 3 % 3 + 1]] else '{}' end,
       now() - n * interval '1 second', now() - interval '60 days'
     from workspaces w, unnest($1::text[], $2::text[]) with ordinality as named (name, name_key, n)`,
    [names, names.map((name) => searchKey(name)), tags],
  );
  await client.query(`
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, wa_id, created_at)
    select workspace_id, 'chatapp', '+9689' || 1000000 + n, id, '9689' || 1000000 + n, created_at
    from (select *, row_number() over (order by id) as n from contacts) c`);
  await client.query(`
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
    select c.workspace_id, gen_random_uuid(), c.id, ch.id, 'chatapp', c.last_activity_at, c.created_at
    from contacts c join channels ch using (workspace_id)`);
  await client.query(`
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, created_at)
    select c.workspace_id, gen_random_uuid(), c.id, c.channel_id, case when n % 2 = 0 then 'outbound' else 'inbound' end,
      'text', 'Hello ' || n, case when n % 2 = 0 then 'read' end, c.last_message_at - n * interval '1 minute'
    from conversations c, generate_series(1, ${messagesEach}) as n`);
  await client.query('select refresh_contact_search(array_agg(workspace_id), array_agg(id)) from contacts');
  await client.query('analyze');
}
