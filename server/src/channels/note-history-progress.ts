import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

/** The platform's report on the history of the phone app. */
export interface HistoryReport {
  workspace_id: string;
  channel_id: string;
  phase: number | null;
  progress: number | null;
  is_declined: boolean;
}

// `greatest` passes over nulls.
const update = statement(`
  update channels set history_phase = greatest(history_phase, $3), history_progress = greatest(history_progress, $4),
    history_declined = history_declined or $5
  where workspace_id = $1 and id = $2
    and (history_phase is distinct from greatest(history_phase, $3)
      or history_progress is distinct from greatest(history_progress, $4) or $5 and not history_declined)`);

/** Notes how far the history is. A late report of an earlier chunk takes nothing back. */
export async function noteHistoryProgress(tx: Transaction, report: HistoryReport): Promise<void> {
  const { workspace_id, channel_id, phase, progress, is_declined } = report;
  await update(tx, [workspace_id, channel_id, phase, progress, is_declined]);
}
