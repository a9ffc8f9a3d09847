import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { finishBroadcast } from './finish-broadcast.ts';
import { lockBroadcast } from './queries.ts';

/**
 * Stops a broadcast that is scheduled or sending: messages waiting for dispatch fail with that reason. An ended broadcast stays
 * unchanged.
 */
export async function cancelBroadcast(tx: Transaction, clock: Clock, workspace_id: string, id: string): Promise<void> {
  const broadcast = await lockBroadcast(tx, workspace_id, id);
  if (!broadcast) throw new Refusal('not_found');
  if (broadcast.status === 'scheduled' || broadcast.status === 'sending') {
    await finishBroadcast(tx, clock, { workspace_id, id }, 'cancelled');
  }
}
