import { build, run } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { AccountItem, CapabilityItem, NumberNameItem, NumberQualityItem } from '../platform/account-items.ts';
import type { Clock } from '../process/clock.ts';
import { refreshChannelJob } from './jobs.ts';
import { type NumberState, setNumberState } from './queries.ts';

/** A report of the platform on a number or an account, with a channel of that account. */
export interface NumberReport {
  workspace_id: string;
  channel_id: string;
  /** A report that is as new was applied before. */
  is_outdated: boolean;
  item: NumberQualityItem | CapabilityItem | NumberNameItem | AccountItem;
}

/**
 * Stores the reported state of channels, and enqueues a refresh of each, because a report contains only a part of the state.
 */
export async function applyNumberReports(
  tx: Transaction,
  clock: Clock,
  reports: readonly NumberReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const phones = await lockChannels(tx, reports);
  const about = reports.filter(({ channel_id, item }) => isAbout(item, phones.get(channel_id)));
  for (const { workspace_id, channel_id, item, is_outdated } of about) {
    if (!is_outdated) await setNumberState(tx, clock, workspace_id, channel_id, stateIn(item));
  }
  const concerned = new Map(about.map((report) => [report.channel_id, report]));
  const now = clock.now();
  await enqueueJobs(
    tx,
    [...concerned.values()].map((report) => refreshChannelJob(report, now)),
  );
}

/** Locks the channels in one order. Answers their numbers as digits. */
async function lockChannels(tx: Transaction, reports: readonly NumberReport[]): Promise<Map<string, string>> {
  const query = build
    .selectFrom('channels')
    .select(['id', 'display_phone'])
    .where('workspace_id', 'in', [...new Set(reports.map((report) => report.workspace_id))])
    .where('id', 'in', [...new Set(reports.map((report) => report.channel_id))])
    .orderBy('workspace_id')
    .orderBy('id')
    .forNoKeyUpdate();
  const rows = await run(tx, query);
  return new Map(rows.map(({ id, display_phone }) => [id, display_phone?.replaceAll(/\D/g, '') ?? '']));
}

/**
 * Whether a report concerns a number. A report without a number concerns all numbers of its account, and so does one with a tier:
 * the numbers share it.
 */
function isAbout(item: NumberReport['item'], phone: string | undefined): boolean {
  if (phone === undefined) return false;
  if (item.type === 'number_quality' && item.tier) return true;
  return !('display_phone' in item) || item.display_phone === phone;
}

function stateIn(item: NumberReport['item']): NumberState {
  switch (item.type) {
    case 'number_quality':
    case 'capability':
      return { tier: item.tier };
    case 'number_name':
      return item.decision === 'APPROVED' ? { verified_name: item.requested_name } : {};
    case 'account':
      return {};
  }
}
