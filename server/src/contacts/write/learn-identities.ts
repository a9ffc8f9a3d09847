import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';

/** What the platform reported of an identity: its own ids of the person, and the name they chose for themselves. */
export interface LearnedIdentity {
  workspace_id: string;
  channel_type: string;
  identifier: string;
  wa_id?: string | undefined;
  user_id?: string | undefined;
  profile_name?: string | undefined;
  /** The time of the message with this name. */
  active_at?: Date | undefined;
}

// Rows are locked in one order, so batches that share identities cannot deadlock. A message older than the last activity, which
// the platform may repeat, does not bring an old name back. A `wa_id` or user id of another
// identity stays with that one, and each alone.
const update = statement(`
  with learned as (
    select * from json_to_recordset($1) as l
      (workspace_id uuid, channel_type text, identifier text, wa_id text, user_id text, profile_name text,
       active_at timestamptz, wa_key text, user_key text)
  ), free as (
    select l.*,
      not exists (select from contact_identities o where o.workspace_id = l.workspace_id and o.channel_type = l.channel_type
        and o.identifier <> l.identifier and o.wa_id = l.wa_id)
      and not exists (select from contact_identities o where o.workspace_id = l.workspace_id
        and o.channel_type = l.channel_type and o.identifier <> l.identifier and o.identifier = '+' || l.wa_id) as has_wa_id,
      not exists (select from contact_identities o where o.workspace_id = l.workspace_id and o.channel_type = l.channel_type
        and o.identifier <> l.identifier and o.user_id = l.user_id) as has_user_id
    from learned l
  ), locked as materialized (
    select i.workspace_id, i.channel_type, i.identifier from contact_identities i
    join (select distinct workspace_id, channel_type, identifier from learned) l using (workspace_id, channel_type, identifier)
    order by i.workspace_id, i.channel_type, i.identifier
    for no key update of i
  )
  update contact_identities i set
    wa_id = case when l.has_wa_id then coalesce(i.wa_id, l.wa_id) else i.wa_id end,
    user_id = case when l.has_user_id then coalesce(i.user_id, l.user_id) else i.user_id end,
    identifier_key = i.identifier_key
      || case when l.has_wa_id and i.wa_id is null and i.identifier not like '+%' then coalesce(l.wa_key, '') else '' end
      || case when l.has_user_id and i.user_id is null and i.identifier <> l.user_id then coalesce(l.user_key, '') else '' end,
    display_name = case when l.profile_name is not null and not exists (select from contacts c
        where c.workspace_id = i.workspace_id and c.id = i.contact_id and c.last_activity_at > l.active_at)
      then l.profile_name else i.display_name end
  from free l join locked using (workspace_id, channel_type, identifier)
  where i.workspace_id = l.workspace_id and i.channel_type = l.channel_type and i.identifier = l.identifier`);

export async function learnIdentities(connection: Connection, learned: readonly LearnedIdentity[]): Promise<void> {
  if (learned.length === 0) return;
  const rows = learned.map((one) => ({
    ...one,
    ...(one.wa_id && { wa_key: searchKey(`+${one.wa_id}`) }),
    ...(one.user_id && { user_key: searchKey(one.user_id) }),
  }));
  await update(connection, [JSON.stringify(rows)]);
}
