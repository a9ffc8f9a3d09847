import type pg from 'pg';
import { searchKey } from '../server/src/database/search-key.ts';

const firstNames = [
  ...['أحمد', 'محمد', 'فاطمة', 'عائشة', 'إبراهيم', 'سُلَيمان'],
  ...['Omar', 'Muna', 'Ravi', 'Sara', 'Noor', 'Zaid'],
];
const lastNames = ['الحارثي', 'البلوشي', 'الهنائي', 'العامري', 'Al Said', 'Khan', 'Haddad', 'Perera', 'Nair', 'Smith'];
const batchRows = 5_000;
const messagesEach = 5;

/** The name and tags of the nth of many contacts: of each kind a known share. */
function contactOf(n: number) {
  const place = (n * 7_919) % 150;
  const isRare = n % 9_973 === 0;
  const first = isRare
    ? 'زينب'
    : place === 75
      ? 'يوسف'
      : place % 50 === 2
        ? 'ليلى'
        : firstNames[n % firstNames.length]!;
  const name = `${first} ${lastNames[Math.floor(n / firstNames.length) % lastNames.length]} ${n}`;
  const email = `${n}@customers.example`;
  const identifier = `+9687${1_000_000 + n}`;
  const tags = [
    ...(n % 2 ? ['customer'] : []),
    ...(isRare ? ['rare'] : []),
    ...(place === 0 ? ['one in 150'] : []),
    ...(place % 50 === 1 ? ['one in 50'] : []),
  ];
  const keys = { name_key: searchKey(name), email_key: searchKey(email), identifier_key: searchKey(identifier) };
  return { name, email, identifier, tags: `{${tags.map((tag) => `"${tag}"`)}}`, ...keys };
}

/** Contacts as an import leaves them: never active, all of one moment. */
export async function fillContacts(db: pg.Pool, workspace_id: string, count: number, from = 0): Promise<void> {
  for (let first = from; first < from + count; first += batchRows) {
    const length = Math.min(batchRows, from + count - first);
    const rows = Array.from({ length }, (_, index) => contactOf(first + index));
    await db.query(
      `with new as materialized (
         select gen_random_uuid() as id, r.* from json_to_recordset($2) as r (name text, name_key text, email text,
           email_key text, identifier text, identifier_key text, tags text[])
       ), inserted as (
         insert into contacts (workspace_id, id, name, name_key, email, email_key, tags, created_at)
         select $1, id, name, name_key, email, email_key, tags, now() from new
       )
       insert into contact_identities (workspace_id, channel_type, identifier, identifier_key, contact_id, created_at)
       select $1, 'chatapp', identifier, identifier_key, id, now() from new`,
      [workspace_id, JSON.stringify(rows)],
    );
  }
}

/** Twenty users and six stages. */
export async function fillPeople(db: pg.Pool, workspace_id: string): Promise<void> {
  await db.query(
    `insert into users (workspace_id, id, name, email, role, created_at)
     select $1, gen_random_uuid(), 'Agent ' || n, n || '@bench.example', 'agent', now() from generate_series(1, 20) n`,
    [workspace_id],
  );
  await db.query(
    `insert into stages (workspace_id, id, name, position)
     select $1, gen_random_uuid(), 'BenchEnvironment ' || n, n from generate_series(1, 6) n`,
    [workspace_id],
  );
}

/**
 * A conversation for each contact that has none, with five messages, active within the last so many days. `not exists` would read
 * the growing table for each row, because its statistics are those of an empty one.
 */
export async function fillConversations(db: pg.Pool, workspace_id: string, days: number): Promise<void> {
  await db.query(
    `insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, identifier, status, stage_id,
       assignee_id, last_customer_at, last_message_at, window_expires_at, created_at)
     select c.workspace_id, gen_random_uuid(), c.id, ch.id, 'chatapp', i.identifier,
       case when random() < 0.1 then 'open' else 'closed' end,
       case when random() < 0.5 then stages.ids[1 + floor(random() * 6)::int] end,
       case when random() < 0.7 then users.ids[1 + floor(random() * 20)::int] end,
       a.at, a.at, a.at + interval '1 day', a.at - interval '1 hour'
     from (select *, now() - random() * $2 * interval '1 day' as at from contacts offset 0) a
     join contacts c using (workspace_id, id)
     join contact_identities i on i.workspace_id = c.workspace_id and i.contact_id = c.id
     join channels ch on ch.workspace_id = c.workspace_id,
       (select array_agg(id) as ids from stages where workspace_id = $1) stages,
       (select array_agg(id) as ids from users where workspace_id = $1) users
     where c.workspace_id = $1 and c.id not in (select contact_id from conversations where workspace_id = $1)`,
    [workspace_id, days],
  );
  await fillMessages(db, workspace_id, 'c.last_customer_at is not null', messagesEach);
  await db.query(
    `update contacts c set last_activity_at = o.last_message_at from conversations o
     where c.workspace_id = $1 and o.workspace_id = c.workspace_id and o.contact_id = c.id`,
    [workspace_id],
  );
}

/**
 * So many messages in each conversation that meets the condition, a minute apart; the last one is of the customer. Ids follow the
 * time, as those of the service do.
 */
export async function fillMessages(db: pg.Pool, workspace_id: string, condition: string, count: number): Promise<void> {
  await db.query(
    `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, actor_kind, created_at)
     select c.workspace_id, uuidv7(a.at - clock_timestamp()), c.id, c.channel_id, d.direction, 'text',
       (array['Is it in stock in Muscat, and when could I fetch it?', 'شكراً جزيلاً، متى يصل الطلب؟',
         'Yes. The shop in Al Khuwair has two of them, and keeps one for you until Thursday evening if you like. ' ||
         'Bring the number of your order with you, please.', 'OK'])[1 + n % 4],
       d.status, d.actor_kind, a.at
     from conversations c, generate_series(1, $2) n,
       lateral (select c.last_message_at - ($2 - n) * interval '1 minute' as at) a,
       lateral (select case when ($2 - n) % 2 = 0 then 'inbound' else 'outbound' end as direction,
                       case when ($2 - n) % 2 = 1 then 'read' end as status,
                       case when ($2 - n) % 2 = 0 then 'contact' end as actor_kind) d
     where c.workspace_id = $1 and ${condition}`,
    [workspace_id, count],
  );
  await db.query(
    `update conversations c set last_customer_message_id = m.inbound, last_business_message_id = m.outbound
     from (select conversation_id, max(id::text) filter (where direction = 'inbound')::uuid as inbound,
             max(id::text) filter (where direction = 'outbound')::uuid as outbound
           from messages where workspace_id = $1 group by conversation_id) m
     where c.workspace_id = $1 and c.id = m.conversation_id and ${condition}`,
    [workspace_id],
  );
}
