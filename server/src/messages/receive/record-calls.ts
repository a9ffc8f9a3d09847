import { limits } from '@majlis/contract';
import { findOrCreateReported } from '../../contacts/write/find-or-create-reported.ts';
import { touchContacts } from '../../contacts/write/touch-contacts.ts';
import { recordReport } from '../../conversations/change/record-reports.ts';
import type { CallReport } from '../../conversations/change/thread-report.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { touchByCall } from '../../conversations/touch-by-calls.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { findErasedCalls } from './erased-calls.ts';
import type { InboundMessage } from './receive-messages.ts';

/** What the platform reports of a call. It is not answered here. */
export type CallEvent = Pick<InboundMessage, 'workspace_id' | 'channel_id' | 'channel_type' | 'person' | 'at'> &
  CallFacts;

interface CallFacts {
  call_id: string;
  event: 'begun' | 'ringing' | 'accepted' | 'rejected' | 'ended';
  by?: 'customer' | 'business' | undefined;
  duration_seconds?: number | undefined;
}

/**
 * Records calls as lines of their conversations. The beginning of a customer's call opens the window, as their message does. A report
 * of a call that was erased with its contact makes no contact again.
 */
export async function recordCalls(tx: Transaction, clock: Clock, reported: readonly CallEvent[]): Promise<void> {
  const erased = await findErasedCalls(tx, reported);
  const calls = reported.filter((_, n) => !erased.has(n));
  if (calls.length === 0) return;
  const contacts = await findOrCreateReported(tx, clock, calls);
  const begun = calls.filter((_, n) => contacts[n]!.is_new);
  if ((await findErasedCalls(tx, begun)).size > 0) throw new Outdated('the contact of a call was erased');
  const now = clock.now();
  const keys = calls.map((call, n) => ({ ...call, ...contacts[n]! }));
  const conversations = await findOrCreateConversations(tx, clock, keys, now);
  const callers = calls.flatMap(({ workspace_id, at, person, by, event }, n) =>
    by === 'customer' && event === 'begun'
      ? [{ workspace_id, id: contacts[n]!.contact_id, at, profile_name: person.profile_name }]
      : [],
  );
  await touchContacts(tx, callers);
  for (const [n, call] of calls.entries()) await recordCall(tx, clock, call, conversations[n]!);
}

async function recordCall(tx: Transaction, clock: Clock, call: CallEvent, conversation_id: string): Promise<void> {
  const { workspace_id, channel_id, call_id, by, event } = call;
  const now = clock.now();
  const at = call.at < now ? call.at : now;
  let isFirst = false;
  await recordReport(tx, clock, {
    ...{ workspace_id, channel_id, conversation_id, kind: 'called', subject: call_id, at },
    join(known) {
      isFirst = event === 'begun' && !known?.call?.is_begun;
      return { call: joinCall(known?.call, call) };
    },
  });
  if (!isFirst || by !== 'customer') return;
  const window_expires_at = new Date(at.getTime() + limits.window_seconds * 1000);
  await touchByCall(tx, clock, { workspace_id, conversation_id, at: now, window_expires_at });
}

/** Each fact stays once it is known, so the order makes no difference. */
function joinCall(known: CallReport | undefined, { by, event, duration_seconds }: CallEvent): CallReport {
  const direction = by === undefined ? (known?.by ?? 'business') : by;
  const duration = Math.max(known?.duration_seconds ?? 0, duration_seconds ?? 0);
  const isBegun = known?.is_begun || event === 'begun';
  const isAccepted = known?.is_accepted || event === 'accepted';
  const isEnded = known?.is_ended || event === 'ended';
  const isRejected = known?.is_rejected || event === 'rejected';
  return {
    by: direction,
    ...(isBegun && { is_begun: true }),
    ...(isAccepted && { is_accepted: true }),
    ...(isRejected && { is_rejected: true }),
    ...(isEnded && { is_ended: true }),
    ...(duration > 0 && { duration_seconds: duration }),
  };
}
