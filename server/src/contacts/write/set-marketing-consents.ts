import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { contactUpdated } from '../events.ts';

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
const updateConsents = statement<{ workspace_id: string; id: string; is_changed: boolean }>(`
  with locked as materialized (
    select c.workspace_id, c.id, p.marketing, p.at, c.consents ->> 'chatapp_marketing' as before
    from json_to_recordset($1) as p
      (workspace_id uuid, channel_type text, wa_id text, user_id text, marketing boolean, at timestamptz)
    join contact_identities i on i.workspace_id = p.workspace_id and i.channel_type = p.channel_type
      and (i.wa_id = p.wa_id or i.user_id = p.user_id or i.identifier = '+' || p.wa_id)
    join contacts c on c.workspace_id = i.workspace_id and c.id = i.contact_id
    where c.marketing_told_at is null or c.marketing_told_at < p.at or (c.marketing_told_at = p.at and not p.marketing)
    for no key update of c
  )
  update contacts c set
    consents = (c.consents::jsonb || jsonb_build_object('chatapp_marketing', l.marketing))::json,
    marketing_told_at = coalesce(l.at, $2)
  from locked l where c.workspace_id = l.workspace_id and c.id = l.id
  returning c.workspace_id, c.id, l.before is distinct from l.marketing::text as is_changed`);

const selectKnown = statement<{ id: string }>(`
  select contact_id as id from contact_identities
  where workspace_id = $1 and channel_type = $2 and (wa_id = $3 or user_id = $4 or identifier = '+' || $3) limit 1`);

/** Records that customers stopped or resumed marketing messages in their app. Answers the preferences of unknown people. */
export async function setMarketingConsents<Preference extends MarketingPreference>(
  tx: Transaction,
  clock: Clock,
  preferences: readonly Preference[],
): Promise<Preference[]> {
  const unknown: Preference[] = [];
  // One by one: of two of the same person, the later one wins.
  for (const preference of preferences) {
    const told = await updateConsents(tx, [JSON.stringify([preference]), clock.now()]);
    if (told.length === 0) {
      const { workspace_id, channel_type, wa_id, user_id } = preference;
      const [known] = await selectKnown(tx, [workspace_id, channel_type, wa_id, user_id]);
      if (!known) unknown.push(preference);
    }
    const { marketing, at } = preference;
    const changed = told.filter(({ is_changed }) => is_changed);
    await recordConsents(
      tx,
      clock,
      changed.map(({ workspace_id, id }) => {
        const origin = { source: 'platform', actor_kind: 'contact', decided_at: at } as const;
        return { workspace_id, contact_id: id, consent: 'chatapp_marketing', value: marketing, origin };
      }),
    );
    const same = { before: {}, after: {}, more: ['consents'] };
    await recordEvents(
      tx,
      clock,
      changed.flatMap((contact) => contactUpdated(contact, same)),
    );
  }
  return unknown;
}
