import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

/** The platform's report on the username of a business. */
export interface UsernameReport {
  workspace_id: string;
  channel_id: string;
  /** Digits alone. */
  display_phone: string;
  /** Null: it is not the business's any more. */
  username: string | null;
  status: string | null;
  at: Date;
}

// Of two reports of one second, a reservation is the earlier one.
const update = statement(`
  update channels set business_username = $4, business_username_status = $5, business_username_at = $6
  where workspace_id = $1 and id = $2 and regexp_replace(display_phone, '\\D', '', 'g') = $3
    and (business_username_at is null or business_username_at < $6
      or business_username_at = $6 and business_username_status = 'reserved' and $5 <> 'reserved')`);

/** Stores the username with the channel of its number, unless a later report is known. */
export async function setBusinessUsername(tx: Transaction, report: UsernameReport): Promise<void> {
  const { workspace_id, channel_id, display_phone, username, status, at } = report;
  await update(tx, [workspace_id, channel_id, display_phone, username, status, at]);
}
