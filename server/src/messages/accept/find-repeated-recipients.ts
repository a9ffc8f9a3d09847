import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

const selectReached = statement<{ n: number }>(`
  select w.n
  from json_to_recordset($1) as w (n integer, workspace_id uuid, contact_id uuid, broadcast_id uuid)
  where exists (
    select from conversations c
    join broadcast_recipients r on r.workspace_id = c.workspace_id and r.conversation_id = c.id
    where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id and r.broadcast_id = w.broadcast_id)`);

/**
 * The indexes of messages to contacts that their broadcast has reached already, or reaches by an earlier message of these.
 * A contact gets one message of a broadcast (hazard H68). The check runs here, because two numbers may lead to one contact
 * and a merge can join two at any time.
 */
export async function findRepeatedRecipients(
  tx: Transaction,
  messages: readonly { workspace_id: string; contact_id: string; broadcast_id: string | undefined }[],
): Promise<Set<number>> {
  const ofBroadcasts = messages.flatMap((message, n) =>
    message.broadcast_id === undefined ? [] : [{ n, ...message }],
  );
  if (ofBroadcasts.length === 0) return new Set();
  const rows = await selectReached(tx, [JSON.stringify(ofBroadcasts)]);
  const repeats = new Set(rows.map(({ n }) => n));
  const seen = new Set<string>();
  for (const { n, broadcast_id, contact_id } of ofBroadcasts) {
    const key = `${broadcast_id} ${contact_id}`;
    if (seen.has(key)) repeats.add(n);
    seen.add(key);
  }
  return repeats;
}
