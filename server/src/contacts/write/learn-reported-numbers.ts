import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { findIdentities, findOrCreateContacts } from './find-or-create-contacts.ts';
import type { PersonIdentity } from './person-identity.ts';

// A contact known by a number alone learns its user id from its own messages.
const selectNews = statement<{ n: number }>(`
  select distinct w.n from json_to_recordset($1) as w (n integer, workspace_id uuid, channel_type text, wa_id text, user_id text)
  join contact_identities i on i.workspace_id = w.workspace_id and i.channel_type = w.channel_type and i.user_id = w.user_id
  where not exists (
    select from contact_identities o
    where o.workspace_id = i.workspace_id and o.contact_id = i.contact_id and o.channel_type = i.channel_type and o.wa_id = w.wa_id)`);

/**
 * Learns the number of people who are known by their user id from reports that name both, such as statuses. Nobody is created. Throws
 * `TwoContacts` where another contact stands for the number. The usual person, whose number is known, costs one look-up.
 */
export async function learnReportedNumbers(
  tx: Transaction,
  clock: Clock,
  people: readonly PersonIdentity[],
): Promise<void> {
  const byIds = new Map(
    people.flatMap((person) => {
      const { workspace_id, channel_type, wa_id, user_id } = person;
      return wa_id && user_id ? [[`${workspace_id} ${channel_type} ${wa_id} ${user_id}`, person] as const] : [];
    }),
  );
  const both = [...byIds.values()];
  if (both.length === 0) return;
  const news = await selectNews(tx, [JSON.stringify(both.map((person, n) => ({ ...person, n })))]);
  const unlearned = news.map(({ n }) => both[n]!);
  if (unlearned.length === 0) return;
  const found = await findIdentities(tx, unlearned);
  const known = unlearned.filter((_, n) => found[n]);
  if (known.length > 0) await findOrCreateContacts(tx, clock, known);
}
