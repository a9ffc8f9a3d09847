import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Place } from './allowances.ts';
import { countryOf } from './country-of.ts';
import { feeOf } from './find-price.ts';
import { dateIn, readPricedNumbers } from './priced-numbers.ts';
import { familyOf, type Pricing } from './pricing.ts';

/** A delivered message with the platform's pricing. */
export interface Fee {
  workspace_id: string;
  channel_id: string;
  message_id: string;
  recipient: string;
  /** The rates of this moment apply, so that the fee is what a quote has said. */
  accepted_at: Date;
  /** Its place in a free allowance. */
  place: Place | null;
  pricing: Pricing;
}

// SQL debits only the rows that the ledger accepted. So no fee is drawn twice, and no concurrent debit is lost. Wallets are
// locked in one order.
const insertFees = statement(`
  with fees as (
    select distinct on (workspace_id, reference) * from json_to_recordset($1) as f
      (n integer, workspace_id uuid, reference text, category text, family text, country text, day date, is_charged boolean)
    order by workspace_id, reference, n
  ), booked as (
    insert into ledger_entries (workspace_id, reference, kind, category, amount_minor, created_at)
    select f.workspace_id, f.reference, 'conversation_fee', f.category,
      case when f.is_charged then -coalesce(${feeOf('f')}, 0) else 0 end, $2
    from fees f
    order by f.workspace_id, f.reference
    on conflict (workspace_id, reference) do nothing
    returning workspace_id, amount_minor
  )
  insert into wallets as w (workspace_id, balance_minor)
  select workspace_id, sum(amount_minor)::bigint from booked
  group by workspace_id having sum(amount_minor) <> 0
  order by workspace_id
  on conflict (workspace_id) do update set balance_minor = w.balance_minor + excluded.balance_minor`);

/**
 * Draws conversation fees from the wallets at the operator's prices, each fee once however often it is reported. A fee that
 * is free, has a place in an allowance, or has no price is booked with 0, as usage. Call this last in a transaction: it locks
 * the workspace's wallet until the commit.
 */
export async function bookFees(tx: Transaction, fees: readonly Fee[], now: Date): Promise<void> {
  if (fees.length === 0) return;
  const numbers = await readPricedNumbers(tx, fees);
  const rows = fees.map((fee, n) => {
    const { workspace_id, channel_id, message_id, recipient, accepted_at, pricing } = fee;
    const { category, is_billable, conversation } = pricing;
    const number = numbers.get(channel_id);
    return {
      n,
      workspace_id,
      reference: conversation ?? message_id,
      category,
      family: familyOf(category),
      // Without rates, neither the country nor the day decides.
      ...(number?.has_rates && { country: countryOf(recipient), day: dateIn(number.timezone, accepted_at) }),
      is_charged: is_billable && !hasFreePlace(fee),
    };
  });
  await insertFees(tx, [JSON.stringify(rows), now]);
}

/** The places in allowances of messages that cost nothing anyway. */
export function unusedPlaces(fees: readonly Fee[]): (Fee & Place)[] {
  return fees.flatMap((fee) => (fee.place && !hasFreePlace(fee) ? [{ ...fee, ...fee.place }] : []));
}

/** Whether the place counts: the platform charges the message, in the category of the place. */
function hasFreePlace({ place, pricing: { category, is_billable } }: Pick<Fee, 'place' | 'pricing'>): boolean {
  return place !== null && is_billable && [category, familyOf(category)].includes(place.category);
}
