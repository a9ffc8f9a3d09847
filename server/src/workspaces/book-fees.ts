import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { familyOf, type Pricing } from './pricing.ts';

/** A delivered message with the platform's pricing. */
export interface Fee {
  workspace_id: string;
  message_id: string;
  pricing: Pricing;
}

// SQL debits only the rows that the ledger accepted. So no fee is drawn twice, and no concurrent debit is lost. Wallets are
// locked in one order.
const insertFees = statement(`
  with fees as (
    select distinct on (workspace_id, reference) * from json_to_recordset($1) as f
      (n integer, workspace_id uuid, reference text, category text, family text, is_billable boolean)
    order by workspace_id, reference, n
  ), booked as (
    insert into ledger_entries (workspace_id, reference, kind, category, amount_minor, created_at)
    select f.workspace_id, f.reference, 'conversation_fee', f.category, case when f.is_billable then -coalesce((
        select p.fee_minor from conversation_prices p
        where p.workspace_id = f.workspace_id and p.category in (f.category, f.family)
        order by p.category = f.category desc limit 1
      ), 0) else 0 end, $2
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
 * is free or has no price is booked with 0, as usage. Call this last in a transaction: it locks the workspace's wallet until
 * the commit.
 */
export async function bookFees(tx: Transaction, fees: readonly Fee[], now: Date): Promise<void> {
  if (fees.length === 0) return;
  const rows = fees.map(({ workspace_id, message_id, pricing: { category, is_billable, conversation } }, n) => ({
    n,
    workspace_id,
    reference: conversation ?? message_id,
    category,
    family: familyOf(category),
    is_billable,
  }));
  await insertFees(tx, [JSON.stringify(rows), now]);
}
