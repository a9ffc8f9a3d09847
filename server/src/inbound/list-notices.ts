import { mostPlatformNotices, type PlatformNotices } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const countNotices = statement<{ field: string; reason: string; count: number; last_at: Date }>(`
  select field, reason, count(*)::integer as count, max(received_at) as last_at from platform_notices
  where workspace_id = $1 group by field, reason order by 3 desc, field, reason limit ${mostPlatformNotices}`);

// The answer stays below 2 MB.
const shownCharacters = 16_384;
const selectNotices = statement<{ channel_id: string; field: string; reason: string; raw: string; received_at: Date }>(`
  select channel_id, field, reason, left(raw, ${shownCharacters}) as raw, received_at from platform_notices
  where workspace_id = $1 order by id desc limit ${mostPlatformNotices}`);

/** Reads what the platform reported about a workspace's numbers and the service does not apply. */
export async function listNotices(connection: Connection, workspace_id: string): Promise<PlatformNotices> {
  const counts = await countNotices(connection, [workspace_id]);
  const rows = await selectNotices(connection, [workspace_id]);
  return {
    counts: counts.map(({ last_at, ...one }) => ({ ...one, last_at: last_at.toISOString() })),
    data: rows.map(({ channel_id, received_at, ...notice }) => ({
      channel_id: publicId('channel', channel_id),
      ...notice,
      received_at: received_at.toISOString(),
    })),
  };
}
