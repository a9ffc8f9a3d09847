import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

interface Whose {
  workspace_id: string;
  channel_type: string;
}

interface Preference extends Whose {
  wa_id?: string | undefined;
  user_id?: string | undefined;
  marketing: boolean;
  /** When the customer chose. */
  at: Date;
}

// What the customer told the platform decides: its sends would be refused whatever we thought. An older choice than the
// one that is known, told late or once more, changes nothing.
const updateConsents = statement(`
  update contacts c set
    consents = (c.consents::jsonb || jsonb_build_object('chatapp_marketing', p.marketing))::json,
    marketing_told_at = p.at
  from json_to_recordset($1) as p
    (workspace_id uuid, channel_type text, wa_id text, user_id text, marketing boolean, at timestamptz)
  join contact_identities i on i.workspace_id = p.workspace_id and i.channel_type = p.channel_type
    and (i.wa_id = p.wa_id or i.user_id = p.user_id or i.identifier = '+' || p.wa_id)
  where c.workspace_id = i.workspace_id and c.id = i.contact_id
    and (c.marketing_told_at is null or c.marketing_told_at <= p.at)`);

/** Records who stopped or resumed marketing messages in their app. */
export async function setMarketingConsents(connection: Connection, preferences: readonly Preference[]): Promise<void> {
  // One by one: of two of the same person, the later one holds.
  for (const preference of preferences) await updateConsents(connection, [JSON.stringify([preference])]);
}

interface IdentityChange extends Whose {
  previous: { wa_id?: string | undefined; user_id?: string | undefined };
  current: { identifier: string; wa_id?: string | undefined; user_id?: string | undefined };
}

// A number that another identity has by now stays there: numbers are handed on. With the number the platform gives a
// new user id, so the old one goes; who is known by user id alone goes by the new one.
const moveIdentity = statement(`
  with known as (
    select i.identifier from contact_identities i
    where i.workspace_id = $1 and i.channel_type = $2
      and (i.wa_id = $3 or i.user_id = $4 or i.identifier = '+' || $3)
    order by i.wa_id = $3 desc nulls last, i.user_id = $4 desc nulls last
    limit 1
  )
  update contact_identities i set
    identifier = case when $5::text is not null or i.identifier = i.user_id then $7 else i.identifier end,
    wa_id = coalesce($5, i.wa_id),
    user_id = case when $5 is not null then $6 else coalesce($6, i.user_id) end
  from known
  where i.workspace_id = $1 and i.channel_type = $2 and i.identifier = known.identifier
    and not exists (select from contact_identities o where o.workspace_id = $1 and o.channel_type = $2
      and (o.wa_id = $5 or o.user_id = $6 or o.identifier = $7) and o.identifier <> i.identifier)`);

/** Follows customers to their new number or user id. */
export async function changeIdentities(connection: Connection, changes: readonly IdentityChange[]): Promise<void> {
  for (const { workspace_id, channel_type, previous, current } of changes) {
    await moveIdentity(connection, [
      workspace_id,
      channel_type,
      previous.wa_id ?? null,
      previous.user_id ?? null,
      current.wa_id ?? null,
      current.user_id ?? null,
      current.identifier,
    ]);
  }
}
