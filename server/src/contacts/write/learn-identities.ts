import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

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
// the platform may repeat, does not bring an old name back. A `wa_id` or user id of another identity
// stays with that one.
const update = statement(`
  with learned as (
    select * from json_to_recordset($1) as l
      (workspace_id uuid, channel_type text, identifier text, wa_id text, user_id text, profile_name text,
       active_at timestamptz)
  ), locked as materialized (
    select i.workspace_id, i.channel_type, i.identifier from contact_identities i
    join (select distinct workspace_id, channel_type, identifier from learned) l using (workspace_id, channel_type, identifier)
    order by i.workspace_id, i.channel_type, i.identifier
    for no key update of i
  )
  update contact_identities i set
    wa_id = coalesce(i.wa_id, l.wa_id), user_id = coalesce(i.user_id, l.user_id),
    display_name = case when l.profile_name is not null and not exists (select from contacts c
        where c.workspace_id = i.workspace_id and c.id = i.contact_id and c.last_activity_at > l.active_at)
      then l.profile_name else i.display_name end
  from learned l join locked using (workspace_id, channel_type, identifier)
  where i.workspace_id = l.workspace_id and i.channel_type = l.channel_type and i.identifier = l.identifier
    and not exists (select from contact_identities o
      where o.workspace_id = l.workspace_id and o.channel_type = l.channel_type and o.identifier <> i.identifier
        and o.wa_id = l.wa_id)
    and not exists (select from contact_identities o
      where o.workspace_id = l.workspace_id and o.channel_type = l.channel_type and o.identifier <> i.identifier
        and o.user_id = l.user_id)`);

export async function learnIdentities(connection: Connection, learned: readonly LearnedIdentity[]): Promise<void> {
  if (learned.length > 0) await update(connection, [JSON.stringify(learned)]);
}
