import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

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
