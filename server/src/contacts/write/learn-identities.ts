import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Clock } from '../../process/clock.ts';
import { identityKeyOf } from './identity-key.ts';

/** What the platform reported of an identity: its own ids of the person, and the name they chose for themselves. */
export interface LearnedIdentity {
  workspace_id: string;
  channel_type: string;
  identifier: string;
  wa_id?: string | undefined;
  user_id?: string | undefined;
  /** The account through which the platform told the user id. */
  waba_id?: string | undefined;
  profile_name?: string | undefined;
  /** The time of the message with this name. */
  active_at?: Date | undefined;
}

// Rows are locked in one order, so batches that share identities cannot deadlock. A message older than the last activity, which
// the platform may repeat, does not bring an old name back. A `wa_id` or user id of another
// identity stays with that one, and each alone. Without a user id, the newest message by a number tells who has it.
const update = statement(`
  with learned as (
    select * from json_to_recordset($1) as l
      (workspace_id uuid, channel_type text, identifier text, wa_id text, user_id text, waba_id text, profile_name text,
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
    number_at = case when not l.has_wa_id or l.wa_id is null or (i.wa_id is not null and i.user_id is not null) then i.number_at
      when i.wa_id is not null and l.user_id is null then greatest(i.number_at, l.active_at)
      else coalesce(l.active_at, i.number_at) end,
    user_id = case when l.has_user_id then coalesce(i.user_id, l.user_id) else i.user_id end,
    waba_id = case when l.has_user_id and coalesce(i.user_id, l.user_id) = l.user_id
      then coalesce(i.waba_id, l.waba_id) else i.waba_id end,
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
    ...(one.wa_id && { wa_key: identityKeyOf(`+${one.wa_id}`) }),
    ...(one.user_id && { user_key: identityKeyOf(one.user_id) }),
  }));
  await update(connection, [JSON.stringify(rows)]);
}

// An account is of another portfolio as far as both are known. A former user id stays one: the person has a new one by now. The order
// keeps two batches from a deadlock.
const insertFurther = statement(`
  insert into contact_identities
    (workspace_id, channel_type, identifier, identifier_key, contact_id, display_name, user_id, waba_id, created_at)
  select distinct on (i.workspace_id, i.channel_type, i.contact_id, l.waba_id)
    i.workspace_id, i.channel_type, l.user_id, l.user_key, i.contact_id, l.profile_name, l.user_id, l.waba_id, $2::timestamptz
  from json_to_recordset($1) as l
    (workspace_id uuid, channel_type text, identifier text, user_id text, waba_id text, profile_name text, user_key text)
  join contact_identities i on i.workspace_id = l.workspace_id and i.channel_type = l.channel_type and i.identifier = l.identifier
  where not exists (select from contact_identities o where o.workspace_id = i.workspace_id and o.channel_type = i.channel_type
      and o.contact_id = i.contact_id and o.user_id is not null and (o.waba_id <> l.waba_id) is not true)
    and not exists (select from contact_former_names f where f.workspace_id = i.workspace_id and f.name = l.user_id)
  order by i.workspace_id, i.channel_type, i.contact_id, l.waba_id, l.user_id
  on conflict do nothing`);

/**
 * Adds the user ids by which another portfolio of accounts names these people, each as an identity of the same contact. One that
 * another contact has stays there. The contacts are locked.
 */
export async function addFurtherUserIds(
  tx: Connection,
  clock: Clock,
  learned: readonly LearnedIdentity[],
): Promise<void> {
  const rows = learned.flatMap((one) =>
    one.user_id && one.waba_id ? [{ ...one, user_key: identityKeyOf(one.user_id) }] : [],
  );
  if (rows.length > 0) await insertFurther(tx, [JSON.stringify(rows), clock.now()]);
}
