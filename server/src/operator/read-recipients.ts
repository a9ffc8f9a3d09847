import { findBroadcast, listRecipients } from '../broadcasts/read-broadcasts.ts';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { invalid } from '../http/reply/refusal.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';
import { noSuchBroadcast } from './read-broadcast.ts';

const pageSize = 1_000;

/**
 * Lists the recipients of a broadcast in order, a page of 1,000 after the position `after`. Each has a status: `waiting`,
 * `refused`, or that of its message, with the reason of a failure.
 */
export async function readRecipients(
  connection: Connection,
  names: { id: string; broadcast_id: string },
  after = '-1',
): Promise<{ data: object[]; has_more: boolean }> {
  const workspace_id = await getWorkspaceId(connection, names.id);
  const broadcast_id = parseId('broadcast', names.broadcast_id);
  if (!broadcast_id) throw noSuchBroadcast();
  if (!/^-?\d{1,9}$/.test(after)) throw invalid({ detail: 'is not a position', pointer: '/after' });
  const page = { after: Number(after), count: pageSize + 1 };
  const rows = await listRecipients(connection, workspace_id, broadcast_id, page);
  // The lookup counts all recipients, so it runs only where no recipient proves that the broadcast exists.
  if (rows.length === 0 && !(await findBroadcast(connection, workspace_id, broadcast_id))) throw noSuchBroadcast();
  const data = rows.slice(0, pageSize).map(({ position, identifier, status, error, message_id }) => ({
    position,
    to: identifier,
    status,
    ...(error !== null && { error }),
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
  }));
  return { data, has_more: rows.length > pageSize };
}
