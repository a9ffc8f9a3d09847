import type { ImportState, ImportRow as SentRow } from '@majlis/console-api';
import { Failure, request } from '../../live/request.ts';
import type { ReadFile } from './choose-file.tsx';
import { type ImportRow, partsOf, send } from './run-import.ts';

export interface LineFault {
  line: number;
  reason: string;
}

interface HandOver {
  file: ReadFile;
  rows: readonly ImportRow[];
  faults: readonly LineFault[];
  signal: AbortSignal;
  onProgress: (count: number) => void;
}

const longestCell = 1_000;
const longestName = 255;
const mostColumns = 200;

/**
 * Hands the rows over to the service and starts their import, which goes on without this page. Answers false where it was
 * stopped before; the service then forgets the rows.
 */
export async function handOver(
  workspace_id: string,
  { file, rows, faults, signal, onProgress }: HandOver,
): Promise<boolean> {
  const path = `/workspaces/${workspace_id}/contact-imports`;
  const header = cellsOf(file.header, file.header.length);
  const all: SentRow[] = [
    ...rows.map(({ line, contact }) => ({ line, contact, cells: cellsOf(file.rows[line]!, header.length) })),
    ...faults.map(({ line, reason }) => ({ line, reason, cells: cellsOf(file.rows[line]!, header.length) })),
  ];
  const names = { file_name: file.name.slice(0, longestName), header, rows_total: file.rows.length };
  const { id } = await request<ImportState>('POST', path, names);
  try {
    let count = 0;
    for (const part of partsOf(all, (row) => row)) {
      if (signal.aborted) {
        await request('DELETE', `${path}/${id}`);
        return false;
      }
      await send(`${path}/${id}/rows`, { rows: part });
      count += part.length;
      onProgress(count);
    }
    await send(`${path}/${id}/start`, {});
    return true;
  } catch (error) {
    // The service forgets it by itself if nobody can tell it now.
    if (!(error instanceof Failure && error.code === 'network')) {
      await request('DELETE', `${path}/${id}`).catch(() => undefined);
    }
    throw error;
  }
}

/** Cells as they are listed among the rows that were left out. */
function cellsOf(row: readonly string[], columns: number): string[] {
  return Array.from({ length: Math.min(columns, mostColumns) }, (_, index) => (row[index] ?? '').slice(0, longestCell));
}
