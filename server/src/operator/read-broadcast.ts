import { listFailures } from '../broadcasts/list-failures.ts';
import { presentBroadcast } from '../broadcasts/present.ts';
import { findBroadcast } from '../broadcasts/read-broadcasts.ts';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';

/** A broadcast as `/v1` shows it, without its list of recipients, and with its failures by code. */
export async function readBroadcast(
  connection: Connection,
  names: { id: string; broadcast_id: string },
): Promise<object> {
  const workspace_id = await getWorkspaceId(connection, names.id);
  const broadcast_id = parseId('broadcast', names.broadcast_id);
  const row = broadcast_id && (await findBroadcast(connection, workspace_id, broadcast_id));
  if (!row) throw noSuchBroadcast();
  const failures = await listFailures(connection, workspace_id, row.id);
  return {
    ...presentBroadcast(row),
    failures: failures.map(({ code, error, count }) => ({
      ...(code !== null && { code }),
      ...(error !== null && { error }),
      count,
    })),
  };
}

export function noSuchBroadcast(): Refusal {
  return new Refusal('not_found', { detail: 'There is no such broadcast.' });
}
