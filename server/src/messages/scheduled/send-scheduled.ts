import { lockConversation } from '../../conversations/queries.ts';
import { Outdated, type Transaction, transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { deleteWaiting, finish } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { sendMessages } from '../accept/send-messages.ts';
import { type Sender, toSend } from '../accept/to-send.ts';
import { readScheduledRef, sendScheduled, sendScheduledJob } from '../jobs.ts';
import { optInMissing } from '../rules.ts';
import { refuseOutdated, requireLockedScheduled, type ScheduledTarget } from './change-scheduled.ts';
import { holdAuthors } from './hold-authors.ts';
import { findScheduled, listDue, lockDue, type ScheduledRow, updateScheduled } from './queries.ts';
import type { Scheduler } from './schedule-message.ts';

/**
 * Sends what is due in a conversation, in the order of the times. The messages, their new states and the end of the job are one
 * commit, and the rows are locked: a crash, another worker or a person who sends at the same moment makes no second message.
 */
export function sendScheduledHandler({ pool, clock, log }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const refusals = await transaction(pool, async (tx) => {
      const found = await findScheduled(tx, readScheduledRef(job.payload));
      const refused = found ? await sendDue(tx, clock, found) : [];
      await finish(tx, [job]);
      return refused;
    });
    for (const { code } of refusals) log.debug({ job_id: job.id, code }, 'a scheduled message was not sent');
    return { type: 'finished' };
  }
  return { kind: sendScheduled, concurrency: 8, group_concurrency: 4, starts_at_claim: true, run };
}

async function sendDue(
  tx: Transaction,
  clock: Clock,
  { workspace_id, conversation_id }: ScheduledRow,
): Promise<Refusal[]> {
  const named = { workspace_id, conversation_id, until: clock.now() };
  // Rights are held before conversations, as in every write of a person.
  const authors = await holdAuthors(tx, await listDue(tx, named));
  if (!(await lockConversation(tx, workspace_id, conversation_id))) return [];
  const refusals: Refusal[] = [];
  // Read again: some were sent, cancelled or moved to another time meanwhile.
  for (const row of await lockDue(tx, named)) {
    const author = authors.get(row.user_id);
    if (author === undefined) throw new Outdated('a scheduled message has another author');
    const sent = author ? await sendAs(tx, clock, author, row) : new Refusal('author_without_access');
    await updateScheduled(tx, sent instanceof Refusal ? asFailed(row, sent, clock) : asSent(row, sent, clock));
    if (sent instanceof Refusal) refusals.push(sent);
  }
  return refusals;
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

function asFailed(row: ScheduledRow, refusal: Refusal, clock: Clock): ScheduledRow {
  const { detail, errors } = refusal.extra;
  const failure_detail = detail ?? errors?.[0]?.detail ?? null;
  const ended = { version: row.version + 1, changed_at: clock.now(), failure_code: codeOf(refusal), failure_detail };
  return { ...row, ...ended, state: 'failed' };
}

/** A code of its own for each reason that people can do something about. */
function codeOf({ code, extra }: Refusal): string {
  if (code === 'not_found') return 'author_without_access';
  return extra.detail === optInMissing ? 'opt_in_missing' : code;
}
