import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { lockBroadcast, setStatus } from './queries.ts';

/**
 * Stops a broadcast that is scheduled or sending; nothing of it begins to be sent any more, and what waits for dispatch
 * fails with that reason. One that has ended stays as it is.
 */
export async function cancelBroadcast(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  const standing = await lockBroadcast(tx, workspace_id, id);
  if (!standing) throw new Refusal('not_found');
  if (standing.status === 'scheduled' || standing.status === 'sending') {
    await setStatus(tx, workspace_id, id, 'cancelled');
  }
}
