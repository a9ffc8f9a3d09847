import type { RetentionPreview } from '@majlis/console-api';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { listNamedMedia } from '../media/named-media.ts';
import type { Clock } from '../process/clock.ts';
import { expiryOf, isExpired } from './find-expired.ts';

// A file that a message of another conversation names stays.
const countExpired = statement<{ conversations: number; messages: number; files: string[] }>(`
  with expired as materialized (
    select c.id from conversations c where ${isExpired}
  ), held as materialized (
    select m.media_id from expired e join messages m on m.workspace_id = $1 and m.conversation_id = e.id
  )
  select (select count(*)::int from expired) as conversations, (select count(*)::int from held) as messages,
    array(select distinct h.media_id from held h where h.media_id is not null and not exists (
      select from messages o where o.workspace_id = $1 and o.media_id = h.media_id
        and o.conversation_id not in (select id from expired) offset 0)) as files`);

/** Counts what a retention of so many days deletes now. */
export async function previewRetention(
  pool: Pool,
  clock: Clock,
  { workspace_id, days }: { workspace_id: string; days: number },
): Promise<RetentionPreview> {
  const [counted] = await countExpired(pool, expiryOf(clock, workspace_id, days));
  const { files, ...counts } = counted!;
  const named = files.length > 0 ? await listNamedMedia(pool, workspace_id) : new Set<string>();
  return { ...counts, files: files.filter((id) => !named.has(id)).length };
}
