import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { repeat } from '@majlis/testing/repeat';
import pg from 'pg';

const deadlockDetected = '40P01';
// Far above what a migration may let a statement wait: a wait for ever is a failed statement.
const mostStatementMs = 50_000;

/** Processes of the version before, which keep running during the migration. */
export interface OldProcesses {
  /** Messages that were committed. */
  written: string[];
  failed: string[];
  /** Deadlocks. The transaction is repeated, as in the service. */
  deadlocks: number;
  /** The longest that one statement took, in milliseconds. */
  slowest: { reading_ms: number; writing_ms: number };
  stop(): Promise<void>;
}

const write = `
  with place as (
    select workspace_id, id, channel_id from conversations
    where workspace_id = (select id from workspaces) and id >= (select gen_random_uuid()) order by workspace_id, id limit 1
  ), moved as (
    update conversations c set last_message_at = now() from place p
    where c.workspace_id = p.workspace_id and c.id = p.id
  )
  insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, created_at)
  select workspace_id, gen_random_uuid(), id, channel_id, 'inbound', 'text', 'Meanwhile', now() from place
  returning id`;
const read = `
  select c.id, k.name from conversations c join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  where c.workspace_id = (select id from workspaces) order by c.workspace_id, c.last_message_at desc, c.id desc limit 25`;

/** Two writers of messages, which also update the conversation, and two readers of the list; they know the baseline only. */
export async function runOldProcesses(connection: pg.ClientConfig): Promise<OldProcesses> {
  const pool = new pg.Pool({
    ...connection,
    max: 4,
    connectionTimeoutMillis: 60_000,
    statement_timeout: mostStatementMs,
  });
  pool.on('error', () => {});
  const busy: OldProcesses = { written: [], failed: [], deadlocks: 0, slowest: { reading_ms: 0, writing_ms: 0 }, stop };

  async function run(kind: 'reading_ms' | 'writing_ms', text: string): Promise<void> {
    const from = performance.now();
    try {
      const { rows } = await pool.query<{ id: string }>(text);
      if (kind === 'writing_ms') busy.written.push(...rows.map(({ id }) => id));
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === deadlockDetected) busy.deadlocks++;
      else busy.failed.push((error as Error).message);
    }
    busy.slowest[kind] = Math.max(busy.slowest[kind], Math.round(performance.now() - from));
    await pause(5);
  }

  const runs = [write, write, read, read].map((text) =>
    repeat(() => run(text === write ? 'writing_ms' : 'reading_ms', text)),
  );
  async function stop(): Promise<void> {
    await Promise.all(runs.map((end) => end()));
    await within(pool.end(), 30_000, 'the end of the old processes');
  }
  return busy;
}
