import { mostDaysAhead, mostScheduledOfConversation } from '@majlis/console-api';
import type { ConversationMessageSend, ErrorDetail } from '@majlis/contract';
import { requireLockedConversation } from '../../conversations/change/change-conversation.ts';
import { newId } from '../../database/ids.ts';
import { momentOf } from '../../database/moment-of.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import type { Quotas } from '../../process/quotas.ts';
import { withinQuota } from '../../workspaces/within-quota.ts';
import { previewSend } from '../accept/send-messages.ts';
import { type Sender, toSend } from '../accept/to-send.ts';
import { sendScheduledJob } from '../jobs.ts';
import { insertScheduled, listWaiting, type ScheduledRow } from './queries.ts';

/** A person who schedules messages. */
export type Scheduler = Sender & { user_id: string; own_teams_only: boolean };

/**
 * Stores a message that is sent at a later time. What no time will change is refused now, such as an unknown file. What may
 * change until then, such as the window, is decided then.
 */
export async function scheduleMessage(
  tx: Transaction,
  { clock, quotas }: { clock: Clock; quotas: Quotas },
  scheduler: Scheduler,
  { conversation_id, content, send_at }: { conversation_id: string; content: ConversationMessageSend; send_at: string },
): Promise<ScheduledRow> {
  const { workspace_id, user_id } = scheduler;
  const { id } = await requireLockedConversation(tx, scheduler, conversation_id);
  const at = readSendTime(clock, send_at);
  const composed = await composeScheduled(tx, clock, scheduler, id, content);
  const now = clock.now();
  const row: ScheduledRow = {
    ...{ workspace_id, id: newId(clock), conversation_id: id, user_id, ...composed },
    ...{ send_at: at, state: 'scheduled', version: 1, created_at: now, changed_at: now },
    ...{ message_id: null, failure_code: null, failure_detail: null },
  };
  await refuseMore(tx, row);
  await withinQuota(tx, quotas, { workspace_id, kind: 'scheduled_messages' }, () => insertScheduled(tx, row));
  await enqueueJobs(tx, [sendScheduledJob(row, at)]);
  return row;
}

export function readSendTime(clock: Clock, send_at: string): Date {
  const at = momentOf(send_at);
  if (!at || at.getTime() <= clock.nowMs()) {
    throw invalid({ detail: 'is not a moment in the future', pointer: '/send_at' });
  }
  if (at.getTime() > clock.nowMs() + mostDaysAhead * 86_400_000) {
    throw invalid({ detail: `is more than ${mostDaysAhead} days ahead`, pointer: '/send_at' });
  }
  return at;
}

export async function composeScheduled(
  tx: Transaction,
  clock: Clock,
  scheduler: Sender,
  conversation_id: string,
  content: ConversationMessageSend,
): Promise<Pick<ScheduledRow, 'content' | 'preview' | 'media_id'>> {
  const send = toSend(scheduler, content, { conversation_id }, false);
  if (send instanceof Refusal) throw within(send);
  const composed = await previewSend(tx, clock, send);
  if (composed instanceof Refusal) throw within(composed);
  return { content, preview: composed.body, media_id: send.names.media_id ?? null };
}

/** The faults of a send are those of a member of the request. */
function within(refusal: Refusal): Refusal {
  const { code, extra } = refusal;
  if (!extra.errors) return refusal;
  const errors = extra.errors.map(({ pointer, ...error }: ErrorDetail) => ({
    ...error,
    pointer: `/content${pointer}`,
  }));
  return new Refusal(code, { ...extra, errors });
}

/** The conversation is locked, so that two do not take the last place. */
export async function refuseMore(
  tx: Transaction,
  scheduled: Pick<ScheduledRow, 'workspace_id' | 'conversation_id'>,
): Promise<void> {
  if ((await listWaiting(tx, scheduled, mostScheduledOfConversation)).length < mostScheduledOfConversation) return;
  const detail = `A conversation may have ${mostScheduledOfConversation} scheduled messages: send or cancel one first.`;
  throw new Refusal('limit_reached', { detail });
}
