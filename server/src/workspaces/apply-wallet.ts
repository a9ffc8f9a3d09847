import { randomUUID } from 'node:crypto';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const openWallet = statement(`insert into wallets (workspace_id, balance_minor) values ($1, 0) on conflict do nothing`);

// The lock precedes the comparison, so a concurrent fee comes wholly before or after the adjustment.
const adjustWallet = statement(`
  with current as (
    select balance_minor, applied_minor from wallets
    where workspace_id = $1 and (applied_minor, currency) is distinct from ($2::bigint, $3)
    for update
  ), adjustment as (
    insert into ledger_entries (workspace_id, reference, kind, amount_minor, created_at)
    select $1, $4, 'adjustment', $2 - balance_minor, $5 from current
    where applied_minor is distinct from $2 and balance_minor <> $2
  )
  update wallets w set applied_minor = $2, currency = $3,
    balance_minor = case when s.applied_minor is distinct from $2 then $2 else w.balance_minor end
  from current s where w.workspace_id = $1`);

/**
 * Sets the balance to the operator's through an adjustment in the ledger, where it differs from the one applied last. Applying
 * the same balance again changes nothing.
 */
export async function applyWallet(
  tx: Transaction,
  workspace_id: string,
  { balance_minor, currency }: { balance_minor: number; currency: string },
  now: Date,
): Promise<void> {
  await openWallet(tx, [workspace_id]);
  await adjustWallet(tx, [workspace_id, balance_minor, currency, randomUUID(), now]);
}
