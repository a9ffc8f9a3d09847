import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { familyOf } from './pricing.ts';

/**
 * The fee of a message in SQL. `m` has the columns workspace_id, category, family, country and day. A category stands before its
 * family, a country before all countries, a later day before an earlier one.
 */
export const feeOf = (m: string) => `(
  select p.fee_minor from (
    select r.category, r.country, r.from_date, true as is_rate, r.fee_minor from rates r
    where r.workspace_id = ${m}.workspace_id and r.category in (${m}.category, ${m}.family)
      and r.country in ('', ${m}.country) and r.from_date <= ${m}.day
    union all
    select c.category, '', '-infinity', false, c.fee_minor from conversation_prices c
    where c.workspace_id = ${m}.workspace_id and c.category in (${m}.category, ${m}.family)
  ) p
  order by p.category = ${m}.category desc, p.country desc, p.from_date desc, p.is_rate desc limit 1)`;

const selectFees = statement<{ n: number; fee_minor: number | null }>(`
  select m.n, ${feeOf('m')} as fee_minor
  from json_to_recordset($1) as m (n integer, workspace_id uuid, category text, family text, country text, day date)`);

/** A message by what decides about its fee. */
export interface PricedMessage {
  workspace_id: string;
  category: string;
  country: string;
  /** The date by the calendar of the number. */
  day: string;
}

/** The operator's fee of each message, as `bookFees` takes it. Undefined without one: the fee is then booked with 0. */
export async function findFees(
  connection: Connection,
  messages: readonly PricedMessage[],
): Promise<(number | undefined)[]> {
  if (messages.length === 0) return [];
  const rows = await selectFees(connection, [
    JSON.stringify(messages.map((message, n) => ({ ...message, n, family: familyOf(message.category) }))),
  ]);
  const fees = new Map(rows.map(({ n, fee_minor }) => [n, fee_minor ?? undefined]));
  return messages.map((_, n) => fees.get(n));
}
