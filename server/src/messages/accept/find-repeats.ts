import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

/** A message that is about to be stored, and whom it is for. */
export interface Addressed {
  workspace_id: string;
  contact_id: string;
  broadcast_id: string | undefined;
}

const selectReached = statement<{ n: number }>(`
  select w.n
  from json_to_recordset($1) as w (n integer, workspace_id uuid, contact_id uuid, broadcast_id uuid)
  where exists (
    select from conversations c
    join broadcast_recipients r on r.workspace_id = c.workspace_id and r.conversation_id = c.id
    where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id and r.broadcast_id = w.broadcast_id)`);

/**
 * The places of those whom their broadcast has reached already, or reaches by an earlier one of these: of a broadcast a
 * contact gets one message (hazard H68), whatever numbers lead to it. That shows here alone: numbers of one contact are no
 * repeat of each other before someone looks whose they are, and a merge can make them so at any time.
 */
export async function findRepeats(tx: Transaction, addressed: readonly Addressed[]): Promise<Set<number>> {
  const ofBroadcasts = [...addressed.entries()].filter(([, { broadcast_id }]) => broadcast_id !== undefined);
  if (ofBroadcasts.length === 0) return new Set();
  const rows = await selectReached(tx, [JSON.stringify(ofBroadcasts.map(([n, one]) => ({ n, ...one })))]);
  const repeats = new Set(rows.map(({ n }) => n));
  const seen = new Set<string>();
  for (const [n, { broadcast_id, contact_id }] of ofBroadcasts) {
    const key = `${broadcast_id} ${contact_id}`;
    if (seen.has(key)) repeats.add(n);
    seen.add(key);
  }
  return repeats;
}
