import type { ImportRow } from '@majlis/console-api';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { newId } from '../../database/ids.ts';
import { storableText } from '../../database/storable-text.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { chunkJob, type ImportRef } from './jobs.ts';
import {
  addRows,
  countOpenImports,
  deleteImport,
  findImport,
  type ImportRecord,
  insertImport,
  lockImport,
  type NewRow,
  setImportEnded,
  setImportStarted,
} from './queries.ts';
import { namesOfRow } from './row-names.ts';

export const mostImportRows = 200_000;
// The rows of open imports are stored, so their number is bounded.
const mostOpenImports = 5;

interface Importer {
  workspace_id: string;
  user_id: string;
}

export async function createImport(
  tx: Transaction,
  clock: Clock,
  { workspace_id, user_id }: Importer,
  { file_name, header, rows_total }: { file_name: string; header: string[]; rows_total: number },
): Promise<ImportRecord> {
  if (rows_total > mostImportRows) {
    throw invalid({ detail: `must not be more than ${mostImportRows}`, pointer: '/rows_total' });
  }
  if ((await countOpenImports(tx, workspace_id)) >= mostOpenImports) {
    throw new Refusal('limit_reached', { detail: `There are ${mostOpenImports} imports already: wait or cancel one.` });
  }
  const ref = { workspace_id, import_id: newId(clock) };
  const created = { ...ref, user_id, rows_total, created_at: clock.now() };
  await insertImport(tx, { ...created, file_name: storableText(file_name), header: header.map(storableText) });
  return (await findImport(tx, ref))!;
}

/** Answers how many rows the import has by now. */
export async function addImportRows(
  tx: Transaction,
  ref: ImportRef,
  rows: readonly ImportRow[],
  country: string | null,
): Promise<number> {
  const found = await requireLocked(tx, ref);
  if (found.status !== 'receiving')
    throw new Refusal('changed_meanwhile', { detail: 'The import takes no rows any more.' });
  const beyond = rows.findIndex(({ line }) => line >= found.rows_total);
  if (beyond >= 0) throw invalid({ detail: 'is beyond the rows of the file', pointer: `/rows/${beyond}/line` });
  return addRows(tx, ref, await mapInSlices(rows, (row) => toNewRow(row, country)));
}

function toNewRow({ line, contact, cells, reason }: ImportRow, country: string | null): NewRow {
  const isLeftOut = contact === undefined || contact === null;
  const stored = cells.map(storableText);
  return {
    line,
    contact: isLeftOut ? null : JSON.stringify(contact),
    cells: stored,
    reason: isLeftOut ? storableText(reason ?? 'unprocessable_content') : null,
    names: namesOfRow({ cells: stored }, country),
  };
}

/** Starts an import whose rows are all there, in the name of the person who does so. One that was started before goes on as it is. */
export async function startImport(
  tx: Transaction,
  clock: Clock,
  ref: ImportRef,
  { user_id }: Importer,
): Promise<{ record: ImportRecord; is_new: boolean }> {
  const found = await requireLocked(tx, ref);
  if (found.status !== 'receiving') return { record: found, is_new: false };
  if (found.rows_received < found.rows_total) {
    const missing = found.rows_total - found.rows_received;
    throw invalid({ detail: `${missing} rows of the file were not handed over`, pointer: '' });
  }
  await setImportStarted(tx, ref, { user_id, at: clock.now() });
  await enqueueJobs(tx, [chunkJob(ref, clock.now())]);
  return { record: (await findImport(tx, ref))!, is_new: true };
}

/** Waits for a chunk under way, and lets no other begin. */
export async function cancelImport(tx: Transaction, clock: Clock, ref: ImportRef): Promise<ImportRecord> {
  const found = await requireLocked(tx, ref);
  if (found.status !== 'receiving' && found.status !== 'running') return found;
  await setImportEnded(tx, ref, 'cancelled', clock.now());
  return (await findImport(tx, ref))!;
}

export async function removeImport(tx: Transaction, ref: ImportRef): Promise<void> {
  const found = await requireLocked(tx, ref);
  if (found.status === 'running')
    throw new Refusal('changed_meanwhile', { detail: 'The import still runs: cancel it first.' });
  await deleteImport(tx, ref);
}

async function requireLocked(tx: Transaction, ref: ImportRef): Promise<ImportRecord> {
  const found = await lockImport(tx, ref);
  if (!found) throw new Refusal('not_found');
  return found;
}
