import { publicId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Clock } from '../process/clock.ts';
import { setStatus } from './queries.ts';

/** Ends a locked broadcast: no message is left to send, or none may be sent any more. */
export async function finishBroadcast(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: { workspace_id: string; id: string },
  status: 'sent' | 'cancelled',
): Promise<void> {
  await setStatus(tx, workspace_id, id, status);
  const broadcast = { id: publicId('broadcast', id), status };
  await recordEvents(tx, clock, [{ workspace_id, type: 'broadcast.finished', data: { broadcast } }]);
}
