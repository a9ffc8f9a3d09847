import { lockConversation } from '../../conversations/queries.ts';
import { Outdated, type Transaction, transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { deleteWaiting, finish } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { sendMessages } from '../accept/send-messages.ts';
import { type Sender, toSend } from '../accept/to-send.ts';
import { readScheduledRef, type ScheduledRef, sendScheduled, sendScheduledJob } from '../jobs.ts';
import { refuseOutdated, requireLockedScheduled, type ScheduledTarget } from './change-scheduled.ts';
import { holdAuthor } from './hold-author.ts';
import { findScheduled, lockScheduled, type ScheduledRow, updateScheduled } from './queries.ts';
import type { Scheduler } from './schedule-message.ts';

/**
 * Sends a scheduled message at its time. The message, its new state and the end of the job are one commit, and the row is locked:
 * a crash, another worker or a person who sends it at the same moment makes no second message.
 */
export function sendScheduledHandler({ pool, clock, log }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const refusal = await transaction(pool, async (tx) => {
      const refused = await sendDue(tx, clock, readScheduledRef(job.payload));
      await finish(tx, [job]);
      return refused;
    });
    if (refusal) log.debug({ job_id: job.id, code: refusal.code }, 'a scheduled message was not sent');
    return { type: 'finished' };
  }
  return { kind: sendScheduled, concurrency: 8, group_concurrency: 4, starts_at_claim: true, run };
}

async function sendDue(tx: Transaction, clock: Clock, ref: ScheduledRef): Promise<Refusal | undefined> {
  const found = await findScheduled(tx, ref);
  if (!found) return undefined;
  // Rights are held before conversations, as in every write of a person.
  const author = await holdAuthor(tx, found);
  if (!(await lockConversation(tx, found.workspace_id, found.conversation_id))) return undefined;
  const row = await lockScheduled(tx, ref);
  // Sent or cancelled meanwhile, or another job has its new time.
  if (row?.state !== 'scheduled' || row.send_at.getTime() > clock.nowMs()) return undefined;
  if (row.user_id !== found.user_id) throw new Outdated('a scheduled message has another author');
  const message_id = author ? await sendAs(tx, clock, author, row) : new Refusal('author_without_access');
  if (!(message_id instanceof Refusal)) {
    await updateScheduled(tx, asSent(row, message_id, clock));
    return undefined;
  }
  const refusal = message_id.code === 'not_found' ? new Refusal('author_without_access') : message_id;
  await updateScheduled(tx, asFailed(row, refusal, clock));
  return refusal;
}

/** Sends a scheduled or failed message that is still of this version, in the name of the person who does so. */
export async function sendScheduledNow(
  tx: Transaction,
  clock: Clock,
  scheduler: Scheduler,
  target: ScheduledTarget,
  version: number,
): Promise<{ row: ScheduledRow; is_changed: boolean }> {
  const row = await requireLockedScheduled(tx, scheduler, target);
  // A repeated request, or its time has come: the message that the person wants is there.
  if (row.state === 'sent') return { row, is_changed: false };
  refuseOutdated(row, version);
  if (row.state === 'cancelled') throw new Refusal('changed_meanwhile');
  const message_id = await sendAs(tx, clock, scheduler, row);
  if (message_id instanceof Refusal) throw message_id;
  const sent = asSent({ ...row, user_id: scheduler.user_id }, message_id, clock);
  await updateScheduled(tx, sent);
  await deleteWaiting(tx, sendScheduledJob(row, row.send_at));
  return { row: sent, is_changed: true };
}

/** The same acceptance as of a message that the person sends at this moment. */
async function sendAs(
  tx: Transaction,
  clock: Clock,
  sender: Sender,
  { conversation_id, content }: ScheduledRow,
): Promise<string | Refusal> {
  const send = toSend(sender, content, { conversation_id }, false);
  if (send instanceof Refusal) return send;
  const [message] = await sendMessages(tx, clock, [send]);
  return message instanceof Refusal ? message : message!.id;
}

function asSent(row: ScheduledRow, message_id: string, clock: Clock): ScheduledRow {
  const ended = { version: row.version + 1, changed_at: clock.now(), failure_code: null, failure_detail: null };
  return { ...row, ...ended, state: 'sent', message_id };
}

function asFailed(row: ScheduledRow, { code, extra }: Refusal, clock: Clock): ScheduledRow {
  const failure_detail = extra.detail ?? extra.errors?.[0]?.detail ?? null;
  const ended = { version: row.version + 1, changed_at: clock.now(), failure_code: code, failure_detail };
  return { ...row, ...ended, state: 'failed' };
}
