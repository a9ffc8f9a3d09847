import { findBroadcast, listRecipients } from '../broadcasts/read-broadcasts.ts';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';

const pageSize = 1_000;

/**
 * The recipients of a broadcast in their order, 1,000 at a time behind the position `after`, each with what became of it:
 * `waiting`, `refused`, or the status of its message, and the reason where it failed.
 */
export async function readRecipients(
  connection: Connection,
  names: { id: string; broadcast_id: string },
  after = '-1',
): Promise<{ data: object[]; has_more: boolean }> {
  const workspace_id = await getWorkspaceId(connection, names.id);
  const broadcast_id = parseId('broadcast', names.broadcast_id);
  if (!broadcast_id) throw unknown();
  if (!/^-?\d{1,9}$/.test(after)) throw invalid({ detail: 'is not a position', pointer: '/after' });
  const page = { after: Number(after), count: pageSize + 1 };
  const rows = await listRecipients(connection, workspace_id, broadcast_id, page);
  // Its counts are dear: it is looked up only where its recipients do not show that it is there.
  if (rows.length === 0 && !(await findBroadcast(connection, workspace_id, broadcast_id))) throw unknown();
  const data = rows.slice(0, pageSize).map(({ position, identifier, status, error, message_id }) => ({
    position,
    to: identifier,
    status,
    ...(error !== null && { error }),
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
  }));
  return { data, has_more: rows.length > pageSize };
}

function unknown(): Refusal {
  return new Refusal('not_found', { detail: 'There is no such broadcast.' });
}
