import type { RetentionState } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { deleteConversationsJob } from './jobs.ts';

const selectDays = statement<{ conversation_days: number | null }>(`
  select conversation_days from retention_settings where workspace_id = $1`);

/** How many days closed conversations are kept: null for ever, undefined where nobody has decided. */
export async function findRetention(connection: Connection, workspace_id: string): Promise<number | null | undefined> {
  return (await selectDays(connection, [workspace_id]))[0]?.conversation_days;
}

export function presentRetention(days: number | null | undefined): RetentionState {
  return { conversation_days: days ?? null, version: digestOf([days ?? null]) };
}

const lockDays = statement<{ conversation_days: number | null }>(`
  select conversation_days from retention_settings where workspace_id = $1 for share`);

/** The same, which nobody changes before the end of the transaction. */
export async function holdRetention(tx: Transaction, workspace_id: string): Promise<number | null> {
  return (await lockDays(tx, [workspace_id]))[0]?.conversation_days ?? null;
}

const lockWorkspace = statement('select from workspaces where id = $1 for no key update');
const upsertDays = statement(`
  insert into retention_settings (workspace_id, conversation_days) values ($1, $2)
  on conflict (workspace_id) do update set conversation_days = excluded.conversation_days`);

/**
 * Sets how long closed conversations are kept, and has those deleted that are older already. Where somebody changed it since
 * `version`, nothing changes. Returns what was set before.
 */
export async function changeRetention(
  tx: Transaction,
  workspace_id: string,
  { version, conversation_days }: RetentionState,
): Promise<number | null> {
  await lockWorkspace(tx, [workspace_id]);
  const before = presentRetention(await findRetention(tx, workspace_id));
  if (before.version !== version) throw new Refusal('changed_meanwhile');
  await upsertDays(tx, [workspace_id, conversation_days]);
  if (conversation_days !== null) await enqueueJobs(tx, [deleteConversationsJob(workspace_id)]);
  return before.conversation_days;
}
