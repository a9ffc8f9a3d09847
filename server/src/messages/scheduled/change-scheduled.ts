import type { ConversationMessageSend } from '@majlis/contract';
import { requireLockedConversation } from '../../conversations/change/change-conversation.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { requireId } from '../../http/require-id.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { deleteWaiting } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Quotas } from '../../process/quotas.ts';
import { withinQuota } from '../../workspaces/within-quota.ts';
import { sendScheduledJob } from '../jobs.ts';
import { lockScheduled, type ScheduledRow, updateScheduled } from './queries.ts';
import { composeScheduled, readSendTime, refuseMore, type Scheduler } from './schedule-message.ts';

/** As a path names a scheduled message. */
export interface ScheduledTarget {
  conversation_id: string;
  scheduled_message_id: string;
}

/** Locks the conversation, then the scheduled message in it; 404 where the person sees none. */
export async function requireLockedScheduled(
  tx: Transaction,
  scheduler: Scheduler,
  { conversation_id, scheduled_message_id }: ScheduledTarget,
): Promise<ScheduledRow> {
  const id = requireId('scheduled_message', scheduled_message_id);
  const conversation = await requireLockedConversation(tx, scheduler, conversation_id);
  const row = await lockScheduled(tx, { workspace_id: scheduler.workspace_id, id });
  if (row?.conversation_id !== conversation.id) throw new Refusal('not_found');
  return row;
}

/** Refuses what was sent or cancelled, and what another person has changed since. */
export function refuseOutdated({ state, version }: ScheduledRow, known: number): void {
  if (state === 'sent') throw new Refusal('already_sent');
  if (state === 'cancelled' || version !== known) throw new Refusal('changed_meanwhile');
}

export interface ScheduledChange {
  version: number;
  content?: ConversationMessageSend;
  send_at?: string;
}

/**
 * Changes a scheduled message that is still of this version. Whoever changes the content is its author from then on: nobody sends
 * the words of another. A failed one waits for its new time again.
 */
export async function changeScheduled(
  tx: Transaction,
  { clock, quotas }: { clock: Clock; quotas: Quotas },
  scheduler: Scheduler,
  target: ScheduledTarget,
  { version, content, send_at }: ScheduledChange,
): Promise<ScheduledRow> {
  const row = await requireLockedScheduled(tx, scheduler, target);
  refuseOutdated(row, version);
  if (send_at === undefined && row.state !== 'scheduled') {
    throw invalid({ detail: 'is required where the message waits for no time', pointer: '/send_at' });
  }
  const { workspace_id, user_id } = scheduler;
  const at = send_at === undefined ? row.send_at : readSendTime(clock, send_at);
  const composed = content && (await composeScheduled(tx, clock, scheduler, row.conversation_id, content));
  const changed: ScheduledRow = {
    ...{ ...row, ...composed, ...(composed && { user_id }) },
    ...{ send_at: at, state: 'scheduled', version: version + 1, changed_at: clock.now() },
    ...{ failure_code: null, failure_detail: null },
  };
  await withinQuota(tx, quotas, { workspace_id, kind: 'scheduled_messages' }, () => updateScheduled(tx, changed));
  if (row.state !== 'scheduled' || at.getTime() !== row.send_at.getTime()) {
    await deleteWaiting(tx, sendScheduledJob(row, row.send_at));
    await enqueueJobs(tx, [sendScheduledJob(row, at)]);
  }
  return changed;
}

/** Cancels a scheduled or failed message that is still of this version. A cancelled one stays so, as after a repeated request. */
export async function cancelScheduled(
  tx: Transaction,
  clock: Clock,
  scheduler: Scheduler,
  target: ScheduledTarget,
  version: number,
): Promise<{ row: ScheduledRow; is_changed: boolean }> {
  const row = await requireLockedScheduled(tx, scheduler, target);
  if (row.state === 'cancelled') return { row, is_changed: false };
  refuseOutdated(row, version);
  const cancelled: ScheduledRow = { ...row, state: 'cancelled', version: version + 1, changed_at: clock.now() };
  await updateScheduled(tx, cancelled);
  await deleteWaiting(tx, sendScheduledJob(row, row.send_at));
  return { row: cancelled, is_changed: true };
}

// An undo is offered for seconds. A message whose time is over for longer would surprise everybody.
const lateRestoreMs = 60_000;

/** Takes a cancellation back: the message waits for its time again, or for a decision if it had failed. */
export async function restoreScheduled(
  tx: Transaction,
  { clock, quotas }: { clock: Clock; quotas: Quotas },
  scheduler: Scheduler,
  target: ScheduledTarget,
  version: number,
): Promise<{ row: ScheduledRow; is_changed: boolean }> {
  const row = await requireLockedScheduled(tx, scheduler, target);
  if (row.state === 'sent') throw new Refusal('already_sent');
  // A repeated request, as after an answer that was lost.
  if (row.state !== 'cancelled' && row.version === version + 1) return { row, is_changed: false };
  if (row.state !== 'cancelled' || row.version !== version) throw new Refusal('changed_meanwhile');
  const state = row.failure_code === null ? 'scheduled' : 'failed';
  if (state === 'scheduled' && row.send_at.getTime() < clock.nowMs() - lateRestoreMs) {
    throw new Refusal('unprocessable_content', { detail: 'The time of the message is over.' });
  }
  await refuseMore(tx, row);
  const restored: ScheduledRow = { ...row, state, version: version + 1, changed_at: clock.now() };
  const holder = { workspace_id: row.workspace_id, kind: 'scheduled_messages' } as const;
  await withinQuota(tx, quotas, holder, () => updateScheduled(tx, restored));
  if (state === 'scheduled') await enqueueJobs(tx, [sendScheduledJob(row, row.send_at)]);
  return { row: restored, is_changed: true };
}
