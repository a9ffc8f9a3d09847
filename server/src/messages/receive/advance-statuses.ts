import { isDeepStrictEqual } from 'node:util';
import type { MessageStatus } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { leavePlaces, type Place } from '../../workspaces/prices/allowances.ts';
import { bookFees, unusedPlaces } from '../../workspaces/prices/book-fees.ts';
import type { Pricing } from '../../workspaces/prices/pricing.ts';
import { type EventSubject, messageStatusUpdated } from '../events.ts';
import { type StatusChange, setStatuses } from '../queries.ts';
import { advances } from '../rules.ts';
import { findByToken } from './find-by-token.ts';

/** A status of a message, reported by the platform or decided by the service. */
export interface StatusReport {
  workspace_id: string;
  channel_id: string;
  /** Our id, where the report contains it. */
  message_id?: string | undefined;
  platform_message_id?: string | undefined;
  status: MessageStatus;
  /** Of `failed`: the reason. */
  error?: string | undefined;
  /** Of `failed`: the outcome of the call is unknown. */
  outcome_unknown?: boolean;
  pricing?: Pricing | undefined;
  /** The platform's time of the status, in milliseconds since 1970. */
  at_ms?: number | undefined;
  /** The customer, as the platform names them. */
  person?: { wa_id?: string | undefined; user_id?: string | undefined };
  /** Of `failed`: the point of no return of the call that failed. */
  dispatched_at?: Date | undefined;
}

interface LockedMessage extends EventSubject, StatusTimes {
  n: number;
  by_our_id: boolean;
  status: MessageStatus;
  error: string | null;
  outcome_unknown: boolean;
  platform_message_id: string | null;
  pricing: Pricing | null;
  channel_id: string;
  recipient: string | null;
  created_at: Date;
  allowance_category: string | null;
  allowance_month: string | null;
  leaves_place?: boolean;
  /** The platform's id, where a report has brought it. */
  adopted_id?: string;
}

type StatusTimes = Pick<StatusChange, 'dispatched_at' | 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at'>;

// Our id counts only on the channel of the report. Rows are locked in one order.
const lockMessages = statement<LockedMessage>(`
  with reports as (
    select * from json_to_recordset($1) as r
      (n integer, workspace_id uuid, channel_id uuid, message_id uuid, platform_message_id text)
  ), named as (
    select r.n, m.workspace_id, m.id, true as by_our_id from reports r
    join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id and m.channel_id = r.channel_id
    union all
    select r.n, m.workspace_id, m.id, false from reports r
    join messages m on m.channel_id = r.channel_id and m.platform_message_id = r.platform_message_id
    where m.workspace_id = r.workspace_id
  ), locked as materialized (
    select m.workspace_id, m.id, m.conversation_id, m.direction, m.kind, m.body, m.status, m.error, m.outcome_unknown,
      m.platform_message_id, m.pricing, m.channel_id, m.recipient, m.created_at, m.allowance_category,
      to_char(m.allowance_month, 'YYYY-MM-DD') as allowance_month
    from messages m join (select distinct workspace_id, id from named) d using (workspace_id, id)
    where m.direction = 'outbound' and m.status is not null
    order by m.workspace_id, m.id
    for no key update of m
  )
  select named.n, named.by_our_id, locked.* from locked join named using (workspace_id, id)`);

/**
 * Applies the reports in order. Each status change records its event, and the one that makes a fee due books it. Returns
 * the reports without a stored message: the answer to the send may still be under way.
 */
export async function advanceStatuses<Report extends StatusReport>(
  tx: Transaction,
  clock: Clock,
  reports: readonly Report[],
): Promise<Report[]> {
  if (reports.length === 0) return [];
  const found = await findReported(tx, reports);
  const unpaid = [...new Set(found.values())].filter((message) => !isFeeDue(message));
  const changed = new Set<LockedMessage>();
  const events = [];

  for (const [n, report] of reports.entries()) {
    const message = found.get(n);
    if (!message) continue;
    if (report.platform_message_id && !message.platform_message_id) {
      message.platform_message_id = report.platform_message_id;
      message.adopted_id = report.platform_message_id;
      // A message that failed for an unknown outcome keeps the mark, so that a status can lift the failure.
      message.outcome_unknown &&= message.status === 'failed';
      changed.add(message);
    }
    if (updatePricing(message, report)) changed.add(message);
    if (!advances(message, report.status)) continue;
    const isNews = message.status !== report.status;
    message.status = report.status;
    message.error = report.status === 'failed' ? (report.error ?? null) : null;
    message.outcome_unknown = report.outcome_unknown ?? false;
    changed.add(message);
    noteTime(message, report, clock);
    message.leaves_place = message.status === 'failed' && message.allowance_month !== null;
    if (isNews) events.push(messageStatusUpdated(message));
  }
  await setStatuses(tx, [...changed]);
  await recordEvents(tx, clock, events);
  const fees = unpaid.filter(isFeeDue).map((message) => {
    const { workspace_id, channel_id, id, recipient, created_at, pricing } = message;
    const place = placeOf(message);
    const sent = { recipient: recipient ?? '', accepted_at: created_at, place };
    return { workspace_id, channel_id, message_id: id, pricing: pricing!, ...sent };
  });
  const failed = [...changed].filter(({ leaves_place }) => leaves_place);
  const left = [...failed.map((message) => ({ ...message, ...placeOf(message)! })), ...unusedPlaces(fees)];
  await leavePlaces(tx, left);
  await bookFees(tx, fees, clock.now());
  return reports.filter((_, n) => !found.has(n));
}

function placeOf({ allowance_category, allowance_month }: LockedMessage): Place | null {
  return allowance_month === null ? null : { category: allowance_category!, month: allowance_month };
}

/** The message of each report, by index: by the whole ids, or by the token in the platform's id. */
async function findReported(tx: Transaction, reports: readonly StatusReport[]): Promise<Map<number, LockedMessage>> {
  const numbered = reports.map((report, n) => ({ ...report, n }));
  const rows = await lockMessages(tx, [JSON.stringify(numbered)]);
  const known = new Set(rows.map(({ n }) => n));
  // A message with our own id was erased where it is missing.
  const references = numbered.flatMap(({ n, workspace_id, channel_id, message_id, platform_message_id, person }) =>
    known.has(n) || message_id || !platform_message_id || !person
      ? []
      : [{ place: n, workspace_id, channel_id, platform_message_id, ...person }],
  );
  const renamed = (await findByToken(tx, references)).map(({ n, platform_message_id }) => {
    return { ...numbered[references[n]!.place]!, platform_message_id: platform_message_id! };
  });
  const more = renamed.length > 0 ? await lockMessages(tx, [JSON.stringify(renamed)]) : [];
  return messagesByReport([...rows, ...more]);
}

function noteTime(message: StatusTimes, { status, at_ms, dispatched_at }: StatusReport, clock: Clock): void {
  if (status === 'queued') return;
  message[`${status}_at`] = at_ms === undefined ? clock.now() : new Date(at_ms);
  message.dispatched_at = dispatched_at;
}

/** Takes the last reported price, until the fee is due. Returns whether it changed. */
function updatePricing(message: LockedMessage, { pricing }: StatusReport): boolean {
  if (!pricing || isFeeDue(message) || isDeepStrictEqual(pricing, message.pricing)) return false;
  if ((pricing.reported_ms ?? Infinity) < (message.pricing?.reported_ms ?? 0)) return false;
  message.pricing = pricing;
  return true;
}

/** The platform charges for delivered messages, and reports the price with the delivery or before. */
function isFeeDue({ status, pricing }: LockedMessage): boolean {
  return pricing !== null && (status === 'delivered' || status === 'read');
}

/**
 * The message of each report, by index. Reports of one message share its object, so that each sees the changes of the one
 * before. Where the two ids of a report name two messages, our own id counts.
 */
function messagesByReport(rows: readonly LockedMessage[]): Map<number, LockedMessage> {
  const byId = new Map<string, LockedMessage>();
  const found = new Map<number, LockedMessage>();
  for (const row of rows) {
    const known = byId.get(row.id) ?? row;
    byId.set(row.id, known);
    if (row.by_our_id || !found.has(row.n)) found.set(row.n, known);
  }
  return found;
}
