import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

interface MarketingPreference {
  workspace_id: string;
  channel_type: string;
  wa_id?: string | undefined;
  user_id?: string | undefined;
  marketing: boolean;
  /** The moment of the customer's choice. Without it, the report counts only as the first one on the contact. */
  at: Date | undefined;
}

// The customer's choice in the app decides, because the platform refuses sends against it. A report that is older than the
// stored choice, or repeats it, changes nothing. Of two choices in one second of the platform, the one to stop counts.
const updateConsents = statement(`
  update contacts c set
    consents = (c.consents::jsonb || jsonb_build_object('chatapp_marketing', p.marketing))::json,
    marketing_told_at = coalesce(p.at, $2)
  from json_to_recordset($1) as p
    (workspace_id uuid, channel_type text, wa_id text, user_id text, marketing boolean, at timestamptz)
  join contact_identities i on i.workspace_id = p.workspace_id and i.channel_type = p.channel_type
    and (i.wa_id = p.wa_id or i.user_id = p.user_id or i.identifier = '+' || p.wa_id)
  where c.workspace_id = i.workspace_id and c.id = i.contact_id
    and (c.marketing_told_at is null or c.marketing_told_at < p.at or (c.marketing_told_at = p.at and not p.marketing))`);

/** Records that customers stopped or resumed marketing messages in their app. */
export async function setMarketingConsents(
  connection: Connection,
  preferences: readonly MarketingPreference[],
  now: Date,
): Promise<void> {
  // One by one: of two of the same person, the later one wins.
  for (const preference of preferences) await updateConsents(connection, [JSON.stringify([preference]), now]);
}
