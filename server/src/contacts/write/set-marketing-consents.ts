import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { contactUpdated } from '../events.ts';
import { findIdentities } from './find-or-create-contacts.ts';
import type { PersonIdentity } from './person-identity.ts';

interface MarketingPreference {
  /** With the moment of the choice: who had left a number by then made none by it. */
  person: PersonIdentity;
  marketing: boolean;
  /** The moment of the customer's choice. Without it, the report counts only as the first one on the contact. */
  at: Date | undefined;
}

// The customer's choice in the app decides, because the platform refuses sends against it. A report that is older than the
// stored choice, or repeats it, changes nothing. Of two choices in one second of the platform, the one to stop counts.
const updateConsent = statement<{ is_changed: boolean }>(`
  with locked as materialized (
    select c.consents ->> 'chatapp_marketing' as before from contacts c
    where c.workspace_id = $1 and c.id = $2
      and (c.marketing_told_at is null or c.marketing_told_at < $4 or (c.marketing_told_at = $4 and not $3))
    for no key update of c
  )
  update contacts c set
    consents = (c.consents::jsonb || jsonb_build_object('chatapp_marketing', $3::boolean))::json,
    marketing_told_at = coalesce($4, $5)
  from locked l where c.workspace_id = $1 and c.id = $2
  returning l.before is distinct from ($3::boolean)::text as is_changed`);

/** Records that customers stopped or resumed marketing messages in their app. Answers the preferences of unknown people. */
export async function setMarketingConsents<Preference extends MarketingPreference>(
  tx: Transaction,
  clock: Clock,
  preferences: readonly Preference[],
): Promise<Preference[]> {
  const unknown: Preference[] = [];
  // One by one: of two of the same person, the later one wins.
  for (const preference of preferences) {
    const { person, marketing, at } = preference;
    const { workspace_id } = person;
    const [found] = await findIdentities(tx, [person]);
    if (!found) {
      unknown.push(preference);
      continue;
    }
    const { contact_id } = found;
    const [told] = await updateConsent(tx, [workspace_id, contact_id, marketing, at ?? null, clock.now()]);
    if (!told?.is_changed) continue;
    const origin = { source: 'platform', actor_kind: 'contact', decided_at: at } as const;
    const consent = 'chatapp_marketing';
    await recordConsents(tx, clock, [{ workspace_id, contact_id, consent, value: marketing, origin }]);
    const same = { before: {}, after: {}, more: ['consents'] };
    await recordEvents(tx, clock, contactUpdated({ workspace_id, id: contact_id }, same));
  }
  return unknown;
}
