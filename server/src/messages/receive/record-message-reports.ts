import { recordReport } from '../../conversations/change/record-reports.ts';
import type { PaymentReport } from '../../conversations/change/thread-report.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { findReportedSubject, type ReportReference } from './find-reported.ts';

/** The customer opened a link of a marketing message. */
export interface ClickedLink extends ReportReference {
  click_id: string;
  component?: string | undefined;
}

/** Records a click as a line of its conversation. False where its message and its person are unknown. */
export async function recordClick(tx: Transaction, clock: Clock, click: ClickedLink): Promise<boolean> {
  const found = await findReportedSubject(tx, { ...click, of_template: true });
  if (!found) return false;
  const { workspace_id, channel_id, click_id, component, at } = click;
  await recordReport(tx, clock, {
    ...{
      workspace_id,
      channel_id,
      conversation_id: found.conversation_id,
      kind: 'link_clicked',
      subject: click_id,
      at,
    },
    message_id: found.message_id ?? undefined,
    join: (known) => known ?? { click: component === undefined ? {} : { component } },
  });
  return true;
}

/** Records that the customer gave their number, as a line at the message that contains it. */
export async function recordGivenNumber(
  tx: Transaction,
  clock: Clock,
  given: ReportReference & { platform_message_id: string },
): Promise<void> {
  const { workspace_id, channel_id, platform_message_id: subject, at } = given;
  const { conversation_id, message_id } = (await findReportedSubject(tx, given)) ?? {};
  if (conversation_id === undefined) return;
  const line = { workspace_id, channel_id, conversation_id, kind: 'number_given', subject, at } as const;
  await recordReport(tx, clock, { ...line, message_id: message_id ?? undefined, join: () => ({ number: {} }) });
}

/** The platform reports the state of a payment. */
export type ReportedPayment = ReportReference & Omit<PaymentReport, 'at_ms'>;

/** Records the state of a payment as a line of its conversation. False where its message and its person are unknown. */
export async function recordPayment(tx: Transaction, clock: Clock, payment: ReportedPayment): Promise<boolean> {
  const found = await findReportedSubject(tx, payment);
  if (!found) return false;
  const { workspace_id, channel_id, reference_id, status, amount, currency, at } = payment;
  const state = {
    ...{ reference_id, status, at_ms: at.getTime() },
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  };
  await recordReport(tx, clock, {
    ...{ workspace_id, channel_id, conversation_id: found.conversation_id, kind: 'payment_reported', at },
    // Not by its message, which is unknown while its send has no answer yet. The reference names one order of the customer.
    subject: `${found.conversation_id} ${reference_id}`,
    message_id: found.message_id ?? undefined,
    join: (known) => ({ payment: laterOf(known?.payment, state) }),
  });
  return true;
}

/** Of two states of one second the final one counts. */
function laterOf(known: PaymentReport | undefined, reported: PaymentReport): PaymentReport {
  if (!known) return reported;
  const rankOf = ({ at_ms, status }: PaymentReport) => [at_ms, Number(status !== 'pending'), status] as const;
  const [one, other] = [rankOf(known), rankOf(reported)];
  const place = one.findIndex((value, n) => value !== other[n]);
  if (place === -1) return known;
  return one[place]! > other[place]! ? { ...reported, ...known } : { ...known, ...reported };
}
