import type { RetentionPreview } from '@majlis/console-api';
import type { Connection, Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { listNamedMedia } from '../media/named-media.ts';
import type { Clock } from '../process/clock.ts';
import { expiryOf, isExpired, listOld, type OldConversation } from './find-expired.ts';

// A page takes 0.1 to 0.4 s, and all of them some seconds.
const pageSize = 5_000;
const most = 100_000;

const countHeld = statement<{ messages: number; files: string[] }>(`
  with held as materialized (
    select media_id from messages where workspace_id = $1 and conversation_id = any ($2::uuid[])
  )
  select (select count(*)::int from held) as messages,
    array(select distinct media_id from held where media_id is not null) as files`);

// A file that a message of another conversation names stays.
const selectOwn = statement<{ id: string }>(`
  select n.id from unnest($6::uuid[]) as n (id)
  where not exists (select from messages o
    join conversations c on c.workspace_id = o.workspace_id and c.id = o.conversation_id
    where o.workspace_id = $1 and o.media_id = n.id and (${isExpired}) is not true offset 0)`);

/** Counts what a retention of so many days deletes now, up to a bound. */
export async function previewRetention(
  pool: Pool,
  clock: Clock,
  { workspace_id, days, size = pageSize, bound = most }: PreviewedRetention,
): Promise<RetentionPreview> {
  const expiry = expiryOf(clock, workspace_id, days);
  const counts = { conversations: 0, messages: 0 };
  const files = new Set<string>();
  let page: OldConversation[] = [];
  do {
    page = await listOld(pool, expiry, { after: page.at(-1), count: size });
    const expired = page.flatMap(({ id, is_expired }) => (is_expired ? [id] : []));
    const [held] = await countHeld(pool, [workspace_id, expired]);
    counts.conversations += expired.length;
    counts.messages += held!.messages;
    for (const id of held!.files) files.add(id);
  } while (page.length === size && counts.conversations < bound);
  return { ...counts, files: await countOwn(pool, expiry, [...files], size), has_more: page.length === size };
}

interface PreviewedRetention {
  workspace_id: string;
  days: number;
  size?: number;
  bound?: number;
}

/** The number of the files that nothing else names. */
async function countOwn(
  connection: Connection,
  expiry: readonly unknown[],
  files: readonly string[],
  size: number,
): Promise<number> {
  if (files.length === 0) return 0;
  const named = await listNamedMedia(connection, String(expiry[0]));
  let own = 0;
  for (let n = 0; n < files.length; n += size) {
    const rows = await selectOwn(connection, [...expiry, files.slice(n, n + size)]);
    own += rows.filter(({ id }) => !named.has(id)).length;
  }
  return own;
}
