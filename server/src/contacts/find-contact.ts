import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { run, runFirst } from '../database/query.ts';
import type { ContactRow } from './present.ts';

/** The columns of a `ContactRow`, of `contacts` as `c`. Tags as JSON: the driver reads an array letter by letter. */
export const contactColumns = sql`
  c.id, c.name, c.email, c.language, c.dialect, c.vip, c.blocked, to_json(c.tags) as tags, c.stage_id, c.consents, c.custom_fields,
  c.last_activity_at,
  (select coalesce(json_agg(json_build_object('channel_type', n.channel_type, 'identifier', n.identifier,
     'display_name', n.display_name) order by n.created_at, n.place, n.identifier), '[]') from (
     select distinct on (i.channel_type, name.identifier) i.channel_type, name.identifier, i.display_name, i.created_at, name.place
     from contact_identities i cross join lateral (values
       (1, i.identifier),
       -- The platform's spelling of a number is an identity only where the number itself is none.
       (2, case when i.identifier !~ '^\\+' then '+' || i.wa_id end)
     ) as name (place, identifier)
     where i.workspace_id = c.workspace_id and i.contact_id = c.id and name.identifier is not null
     order by i.channel_type, name.identifier, name.place, i.created_at
   ) n) as identities`;

export function findContact(connection: Connection, workspace_id: string, id: string): Promise<ContactRow | undefined> {
  const query = sql<ContactRow>`
    select ${contactColumns} from contacts c where c.workspace_id = ${workspace_id} and c.id = ${id}`;
  return runFirst(connection, query);
}

/** The contacts that exist among these ids, in the order of the ids. */
export async function findContacts(
  connection: Connection,
  workspace_id: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  if (ids.length === 0) return [];
  const query = sql<ContactRow>`
    select ${contactColumns} from contacts c where c.workspace_id = ${workspace_id} and c.id = any(${ids}::uuid[])`;
  const byId = new Map((await run(connection, query)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
