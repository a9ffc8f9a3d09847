import type { ImportState } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import type { ImportRecord } from './queries.ts';

const dayMs = 86_400_000;
/** How long rows stay that an import left out. They are data of people who may have become no contacts. */
export const rowsKeptMs = 7 * dayMs;
/** How long the numbers of an import are listed. */
export const importsKeptMs = 90 * dayMs;
/** A file that is not handed over by then never will be. */
export const receivingMs = dayMs;

export function presentImport(row: ImportRecord): ImportState {
  const { ended_at, started_at } = row;
  return {
    id: publicId('contact_import', row.id),
    file_name: row.file_name,
    status: row.status as ImportState['status'],
    rows_total: row.rows_total,
    rows_done: row.rows_done,
    created: row.created_count,
    updated: row.updated_count,
    left_out: row.left_out_count,
    has_left_out_rows: row.has_left_out_rows,
    ...(ended_at &&
      row.has_left_out_rows && { rows_kept_until: new Date(ended_at.getTime() + rowsKeptMs).toISOString() }),
    user: { id: publicId('user', row.user_id), name: row.user_name },
    created_at: row.created_at.toISOString(),
    ...(started_at && { started_at: started_at.toISOString() }),
    ...(ended_at && { ended_at: ended_at.toISOString() }),
  };
}
