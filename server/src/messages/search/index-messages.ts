import { lowestIdAt } from '../../database/ids.ts';
import type { Connection, Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { indexMessages } from '../jobs.ts';
import { entryOf, insertEntries, type UnindexedRow } from './search-entries.ts';

const everySeconds = 10;
const batchRows = 500;
/**
 * A search sorts the matches of a whole segment for a word that most of its messages have, and looks once into each segment for a
 * word that none has: 5 million messages have some 600.
 */
const segmentRows = 8_192;
/** A message that is younger may have an elder that is not committed yet. A search reads such messages themselves. */
const settledMs = 10_000;

interface Segment {
  number: number;
  message_count: number;
}

// A transaction that has written may still store a message with an id from its beginning.
const selectOldestWriter = statement<{ ms: number }>(`
  select coalesce(extract(epoch from clock_timestamp() - min(xact_start)) * 1000, 0)::float8 as ms from pg_stat_activity
  where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`);
const selectBehind = statement<{ id: string }>(`
  select w.id from workspaces w left join message_search_progress p on p.workspace_id = w.id
  where exists (select from messages m
    where m.workspace_id = w.id and m.id > coalesce(p.up_to, '00000000-0000-0000-0000-000000000000') and m.id < $1)
  order by w.id`);
const insertProgress = statement(`
  insert into message_search_progress (workspace_id, up_to) values ($1, '00000000-0000-0000-0000-000000000000')
  on conflict (workspace_id) do nothing`);
const lockProgress = statement<{ up_to: string }>(`
  select up_to from message_search_progress where workspace_id = $1 for update`);
const updateProgress = statement(`update message_search_progress set up_to = $2 where workspace_id = $1`);
// An erasure that holds a message is waited for, and one that comes later deletes the terms with the message.
const lockUnindexed = statement<UnindexedRow>(`
  select id, conversation_id, direction, kind, body, filename from messages
  where workspace_id = $1 and id > $2 and id < $3 order by id limit $4 for key share`);
const selectNewestSegment = statement<Segment>(`
  select number, message_count from message_search_segments
  where workspace_id = $1 order by lowest_id desc limit 1`);
const insertSegment = statement<Segment>(`
  insert into message_search_segments (workspace_id, lowest_id, message_count) values ($1, $2, 0)
  returning number, message_count`);
const growSegment = statement(`
  update message_search_segments set message_count = message_count + $3 where workspace_id = $1 and number = $2`);
export function indexMessagesHandler({
  config,
  pool,
  clock,
}: Pick<Resources, 'config' | 'pool' | 'clock'>): JobHandler {
  const perform = () => indexSettled(pool, clock);
  return repeatJob({ pool, clock, config }, { kind: indexMessages, every_seconds: everySeconds, perform });
}

/** Makes all messages that are settled searchable, workspace by workspace. */
export async function indexSettled(pool: Pool, clock: Pick<Clock, 'nowMs'>): Promise<void> {
  const until = lowestIdAt(new Date(clock.nowMs() - settledMs - (await ageOfOldestWriter(pool))));
  for (const { id } of await selectBehind(pool, [until])) {
    while (await transaction(pool, (tx) => indexBatch(tx, id, until)));
  }
}

async function ageOfOldestWriter(connection: Connection): Promise<number> {
  return (await selectOldestWriter(connection, []))[0]!.ms;
}

/** Returns whether there may be more. Processes that do so at once take turns. */
async function indexBatch(tx: Transaction, workspace_id: string, until: string): Promise<boolean> {
  await insertProgress(tx, [workspace_id]);
  const [progress] = await lockProgress(tx, [workspace_id]);
  const rows = await lockUnindexed(tx, [workspace_id, progress!.up_to, until, batchRows]);
  const last = rows.at(-1);
  if (!last) return false;
  const segment = await openSegment(tx, workspace_id, rows[0]!.id);
  const entries = rows.flatMap((row) => entryOf(row, segment) ?? []);
  await insertEntries(tx, workspace_id, entries);
  await growSegment(tx, [workspace_id, segment.number, rows.length]);
  await updateProgress(tx, [workspace_id, last.id]);
  return rows.length === batchRows;
}

async function openSegment(tx: Transaction, workspace_id: string, lowest_id: string): Promise<Segment> {
  const [newest] = await selectNewestSegment(tx, [workspace_id]);
  if (newest && newest.message_count < segmentRows) return newest;
  return (await insertSegment(tx, [workspace_id, lowest_id]))[0]!;
}
