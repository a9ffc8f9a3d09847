import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Placed } from './placed-item.ts';

const upsertNewer = statement(`
  insert into platform_reports as p (workspace_id, kind, subject, reported_at) values ($1, $2, $3, $4)
  on conflict (workspace_id, kind, subject) do update set reported_at = excluded.reported_at
  where p.reported_at < excluded.reported_at
  returning true as is_newer`);

/**
 * Marks the reports that are no newer, by the platform's time, than the last one of their kind on their subject. Of two
 * different reports of one second the second is marked too: the refresh after each report reads its content.
 */
export async function markOutdated(tx: Transaction, placed: readonly Placed[]): Promise<Placed[]> {
  const outdated = new Set<Placed>();
  // In one order, so that two batches cannot deadlock.
  const reports = placed.flatMap((one) => reportIn(one) ?? []).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await Promise.all(
    reports.map(async ({ one, kind, subject, at }) => {
      const newer = await upsertNewer(tx, [one.channel.workspace_id, kind, subject, at]);
      if (newer.length === 0) outdated.add(one);
    }),
  );
  return placed.map((one) => ({ ...one, is_outdated: outdated.has(one) }));
}

interface Report {
  one: Placed;
  kind: string;
  subject: string;
  at: Date;
}

/**
 * The report with its subject, if it replaces an earlier one. Undefined for the others: a message counts once by its id, a
 * status goes forwards, people have times of their own, a deletion is final, and a report on an account only causes a refresh.
 */
function reportIn(one: Placed): Report | undefined {
  const { item, channel } = one;
  switch (item.type) {
    case 'template_status':
      if (item.status === 'deleted') return undefined;
      return item.at && { one, kind: item.type, subject: item.platform_template_id, at: item.at };
    case 'template_quality':
    case 'template_category':
      return item.at && { one, kind: item.type, subject: item.platform_template_id, at: item.at };
    case 'number_quality':
    case 'capability':
      return item.at && { one, kind: 'messaging_tier', subject: channel.id, at: item.at };
    case 'number_name':
      return item.at && { one, kind: item.type, subject: channel.id, at: item.at };
    default:
      return undefined;
  }
}

function keyOf({ one, kind, subject }: Report): string {
  return `${one.channel.workspace_id} ${kind} ${subject}`;
}
