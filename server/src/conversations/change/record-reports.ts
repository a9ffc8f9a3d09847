import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { ThreadReport } from './thread-report.ts';

export type ReportedKind = 'called' | 'link_clicked' | 'payment_reported' | 'number_given';

/** What the platform reports of one thing in a conversation. The first report adds a line, and later ones change it. */
export interface Reported {
  workspace_id: string;
  /** Where the line begins; it stays where it is. */
  conversation_id: string;
  channel_id: string;
  kind: ReportedKind;
  /** The platform's id of the thing. */
  subject: string;
  /** The message that it is about. */
  message_id?: string | undefined;
  at: Date;
  /** Joins what is known with this report; the order of reports makes no difference. */
  join(known: ThreadReport | undefined): ThreadReport;
}

/** The key of the line. */
export function keyOfReport({ kind, channel_id, subject }: Pick<Reported, 'kind' | 'channel_id' | 'subject'>): string {
  return `${kind} ${channel_id} ${subject}`;
}

const lock = statement<{ conversation_id: string; report: ThreadReport | null }>(`
  select conversation_id, report from conversation_changes where workspace_id = $1 and report_key = $2 for update`);
const insert = statement(`
  insert into conversation_changes
    (workspace_id, conversation_id, id, kind, actor_kind, value_id, report_key, report, created_at)
  values ($1, $2, $3, $4, 'system', $5, $6, $7, $8)`);
const update = statement(`
  update conversation_changes set report = $3, created_at = least(created_at, $4), value_id = coalesce(value_id, $5)
  where workspace_id = $1 and report_key = $2`);

/** Records a report; a trigger tells the open threads. A repetition changes nothing. Two first reports at once fail on the key, and one is run again. */
export async function recordReport(tx: Transaction, clock: Clock, reported: Reported): Promise<void> {
  const { workspace_id, kind, message_id = null, at } = reported;
  const key = keyOfReport(reported);
  const [known] = await lock(tx, [workspace_id, key]);
  const report = JSON.stringify(reported.join(known?.report ?? undefined));
  const conversation_id = known?.conversation_id ?? reported.conversation_id;
  if (!known) {
    await insert(tx, [workspace_id, conversation_id, newId(clock), kind, message_id, key, report, at]);
  } else {
    if (report === JSON.stringify(known.report)) return;
    await update(tx, [workspace_id, key, report, at, message_id]);
  }
}
