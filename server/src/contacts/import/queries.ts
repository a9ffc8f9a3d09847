import type { ImportState } from '@majlis/console-api';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ImportRef } from './jobs.ts';

export interface ImportRecord {
  id: string;
  user_id: string;
  user_name: string;
  file_name: string;
  header: string[];
  status: string;
  rows_total: number;
  rows_received: number;
  rows_done: number;
  created_count: number;
  updated_count: number;
  left_out_count: number;
  done_line: number;
  has_left_out_rows: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

const columns = `
  i.id, i.user_id, u.name as user_name, i.file_name, i.header, i.status, i.rows_total, i.rows_received, i.rows_done,
  i.created_count, i.updated_count, i.left_out_count, i.done_line, i.created_at, i.started_at, i.ended_at,
  exists (select from contact_import_rows r where r.workspace_id = i.workspace_id and r.import_id = i.id
    and r.contact is null) as has_left_out_rows`;
const from = `from contact_imports i join users u on u.workspace_id = i.workspace_id and u.id = i.user_id`;

const selectLatest = statement<ImportRecord>(`
  select ${columns} ${from} where i.workspace_id = $1 order by i.id desc limit $2`);
const selectOne = statement<ImportRecord>(`select ${columns} ${from} where i.workspace_id = $1 and i.id = $2`);
const selectLocked = statement<ImportRecord>(`
  select ${columns} ${from} where i.workspace_id = $1 and i.id = $2 for update of i`);

export function listImports(connection: Connection, workspace_id: string, count: number): Promise<ImportRecord[]> {
  return selectLatest(connection, [workspace_id, count]);
}

export async function findImport(connection: Connection, ref: ImportRef): Promise<ImportRecord | undefined> {
  return (await selectOne(connection, [ref.workspace_id, ref.import_id]))[0];
}

// Whoever asked first is next: a row lock lets chunk after chunk overtake the person who cancels.
const takeTurn = statement(`select pg_advisory_xact_lock(hashtextextended('contact_imports ' || $1::uuid::text, 0))`);

/** Before any contact: an import locks itself, then contacts, then its rows. */
export async function lockImport(tx: Transaction, ref: ImportRef): Promise<ImportRecord | undefined> {
  await takeTurn(tx, [ref.import_id]);
  return (await selectLocked(tx, [ref.workspace_id, ref.import_id]))[0];
}

const insertOne = statement(`
  insert into contact_imports (workspace_id, id, user_id, file_name, header, status, rows_total, created_at)
  values ($1, $2, $3, $4, $5, 'receiving', $6, $7)`);

interface NewImport extends ImportRef {
  user_id: string;
  file_name: string;
  header: string[];
  rows_total: number;
  created_at: Date;
}

export async function insertImport(tx: Transaction, row: NewImport): Promise<void> {
  const { workspace_id, import_id, user_id, file_name, header, rows_total, created_at } = row;
  await insertOne(tx, [workspace_id, import_id, user_id, file_name, header, rows_total, created_at]);
}

const selectOpen = statement<{ count: number }>(`
  select count(*)::int as count from contact_imports where workspace_id = $1 and status in ('receiving', 'running')`);

export async function countOpenImports(connection: Connection, workspace_id: string): Promise<number> {
  return (await selectOpen(connection, [workspace_id]))[0]!.count;
}

export interface NewRow {
  line: number;
  contact: string | null;
  cells: string[];
  reason: string | null;
  names: string[];
}

const insertRows = statement<{ count: number; left_out: number }>(`
  with added as (
    insert into contact_import_rows (workspace_id, import_id, line, contact, cells, reason, names)
    select $1, $2, line, contact::json, cells, reason, names
    from json_to_recordset($3) as n (line integer, contact text, cells text[], reason text, names text[])
    on conflict do nothing
    returning contact is null as is_left_out
  )
  select count(*)::int as count, (count(*) filter (where is_left_out))::int as left_out from added`);
const addReceived = statement<{ rows_received: number }>(`
  update contact_imports set rows_received = rows_received + $3, left_out_count = left_out_count + $4,
    rows_done = rows_done + $4
  where workspace_id = $1 and id = $2 returning rows_received`);

/** Stores the lines that are not there yet. Answers how many the import has by now. */
export async function addRows(tx: Transaction, ref: ImportRef, rows: readonly NewRow[]): Promise<number> {
  const [added] = await insertRows(tx, [ref.workspace_id, ref.import_id, JSON.stringify(rows)]);
  const [received] = await addReceived(tx, [ref.workspace_id, ref.import_id, added!.count, added!.left_out]);
  return received!.rows_received;
}

const updateStarted = statement(`
  update contact_imports set status = 'running', user_id = $3, started_at = $4 where workspace_id = $1 and id = $2`);

export async function setImportStarted(
  tx: Transaction,
  { workspace_id, import_id }: ImportRef,
  { user_id, at }: { user_id: string; at: Date },
): Promise<void> {
  await updateStarted(tx, [workspace_id, import_id, user_id, at]);
}

const updateEnded = statement(`
  update contact_imports set status = $3, ended_at = $4 where workspace_id = $1 and id = $2`);
const deleteWaiting = statement(`
  delete from contact_import_rows where workspace_id = $1 and import_id = $2 and contact is not null`);

/** Ends an import. Rows that still wait are deleted, and those that were left out stay until their time is over. */
export async function setImportEnded(
  tx: Transaction,
  ref: ImportRef,
  status: Extract<ImportState['status'], 'done' | 'cancelled'>,
  at: Date,
): Promise<void> {
  await updateEnded(tx, [ref.workspace_id, ref.import_id, status, at]);
  await deleteWaiting(tx, [ref.workspace_id, ref.import_id]);
}

const selectWaiting = statement<{ line: number; contact: unknown }>(`
  select line, contact from contact_import_rows
  where workspace_id = $1 and import_id = $2 and line > $3 and contact is not null order by line limit $4`);

export function listWaitingRows(
  tx: Transaction,
  ref: ImportRef,
  { after, count }: { after: number; count: number },
): Promise<{ line: number; contact: unknown }[]> {
  return selectWaiting(tx, [ref.workspace_id, ref.import_id, after, count]);
}

const deleteImported = statement<{ line: number }>(`
  delete from contact_import_rows where workspace_id = $1 and import_id = $2 and line = any ($3::integer[]) returning line`);
const keepLeftOut = statement<{ line: number }>(`
  update contact_import_rows r set contact = null, reason = n.reason
  from json_to_recordset($3) as n (line integer, reason text)
  where r.workspace_id = $1 and r.import_id = $2 and r.line = n.line returning r.line`);
const advance = statement(`
  update contact_imports set done_line = $3, rows_done = rows_done + $4, created_count = created_count + $5,
    updated_count = updated_count + $6, left_out_count = left_out_count + $7
  where workspace_id = $1 and id = $2`);

export interface ChunkOutcome {
  done_line: number;
  created: number;
  updated: number;
  imported: readonly number[];
  left_out: readonly { line: number; reason: string }[];
}

/** Records the outcome of a chunk. Answers the number of its rows that were still there: an erasure may have deleted some. */
export async function recordChunk(tx: Transaction, ref: ImportRef, outcome: ChunkOutcome): Promise<number> {
  const { done_line, created, updated, imported, left_out } = outcome;
  const names = [ref.workspace_id, ref.import_id];
  const deleted = imported.length > 0 ? await deleteImported(tx, [...names, imported]) : [];
  const kept = left_out.length > 0 ? await keepLeftOut(tx, [...names, JSON.stringify(left_out)]) : [];
  const count = imported.length + left_out.length;
  await advance(tx, [...names, done_line, count, created, updated, left_out.length]);
  return deleted.length + kept.length;
}

export interface LeftOutRecord {
  line: number;
  cells: string[];
  reason: string;
}

const selectLeftOut = statement<LeftOutRecord>(`
  select line, cells, coalesce(reason, '') as reason from contact_import_rows
  where workspace_id = $1 and import_id = $2 and line > $3 and contact is null order by line limit $4`);

export function listLeftOut(
  connection: Connection,
  ref: ImportRef,
  { after, count }: { after: number; count: number },
): Promise<LeftOutRecord[]> {
  return selectLeftOut(connection, [ref.workspace_id, ref.import_id, after, count]);
}

const deleteOne = statement('delete from contact_imports where workspace_id = $1 and id = $2');

/** Its rows go in cascade. */
export async function deleteImport(tx: Transaction, ref: ImportRef): Promise<void> {
  await deleteOne(tx, [ref.workspace_id, ref.import_id]);
}

const deleteNamed = statement(`
  delete from contact_import_rows where workspace_id = $1 and names && $2::text[]`);

/** Deletes the rows that have one of these names. */
export async function deleteRowsNaming(tx: Transaction, workspace_id: string, names: readonly string[]): Promise<void> {
  await deleteNamed(tx, [workspace_id, names]);
}
