import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { type ConsentWords, decisionIn } from './consent-words.ts';
import { recordConsents } from './record-consents.ts';

/** A message of a contact that the service has not had before. */
export interface WrittenText {
  workspace_id: string;
  channel_type: string;
  contact_id: string;
  message_id: string;
  kind: string;
  body: string | null;
  /** The platform's time, in whole seconds. */
  at: Date;
  words: ConsentWords;
}

/** The channels whose marketing needs a consent, and its key. */
const consentOf: Record<string, string> = { chatapp: 'chatapp_marketing' };

// The press of a button that a template offers is a text as well.
const kinds = ['text', 'interactive'];

// Messages come late, too: a newer decision of any source stands. Of two within one second of the platform, the one to stop counts.
// Reports of the platform that are older than this decision change it no more.
const decide = statement<{ contact_id: string }>(`
  with d as (
    select * from json_to_recordset($1) as d (workspace_id uuid, contact_id uuid, consent text, value boolean, at timestamptz)
  ), locked as materialized (
    select c.workspace_id, c.id, d.consent, d.value, d.at
    from d join contacts c on c.workspace_id = d.workspace_id and c.id = d.contact_id
    where not exists (
      select from consent_records r
      where r.workspace_id = d.workspace_id and r.contact_id = d.contact_id and r.consent = d.consent
        and r.decided_at >= d.at + case when d.value then interval '0' else interval '1 second' end)
    order by c.workspace_id, c.id for no key update of c
  )
  update contacts c set consents = (c.consents::jsonb || jsonb_build_object(l.consent, l.value))::json,
    marketing_told_at = greatest(c.marketing_told_at, l.at)
  from locked l where c.workspace_id = l.workspace_id and c.id = l.id
  returning c.id as contact_id`);

/** Records the withdrawals and grants of customers who write one of the words of the workspace. */
export async function applyConsentWords(tx: Transaction, clock: Clock, written: readonly WrittenText[]): Promise<void> {
  const possible = written.filter(
    ({ kind, body, channel_type }) => body && kinds.includes(kind) && consentOf[channel_type],
  );
  for (const { body, words, ...text } of possible) {
    const value = decisionIn(body!, words);
    if (value === undefined) continue;
    // One by one: of two of the same person, the later one wins.
    const { workspace_id, contact_id, message_id, at } = text;
    const consent = consentOf[text.channel_type]!;
    const decided = await decide(tx, [JSON.stringify([{ workspace_id, contact_id, consent, value, at }])]);
    const origin = {
      ...({ source: 'inbound_message', actor_kind: 'contact' } as const),
      ...{ shown_text: body!, message_id, decided_at: at },
    };
    await recordConsents(
      tx,
      clock,
      decided.map(() => ({ workspace_id, contact_id, consent, value, origin })),
    );
  }
}
