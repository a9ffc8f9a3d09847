import { type Transaction, transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { countJobs } from '../jobs/groups.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import { sendMessages } from '../messages/accept/send-messages.ts';
import { deliverBulk } from '../messages/jobs.ts';
import type { Resources } from '../process/resources.ts';
import { finishBroadcast } from './finish-broadcast.ts';
import { type BroadcastRef, broadcastJob, readBroadcastRef, sendBatch } from './jobs.ts';
import {
  hasQueued,
  hasWaiting,
  type LockedBroadcast,
  listWaiting,
  lockBroadcast,
  type RecipientResult,
  setHeld,
  setRecipients,
  type WaitingRecipient,
} from './queries.ts';
import { lockTier } from './tier.ts';
import { toSend } from './to-send.ts';

const batchSize = 500;
// Without a free place, the waiting recipients are scanned for those who need none: 2,000 take 60 ms, and 200,000 in one
// statement would exceed its timeout.
const scanSize = 2_000;
// Messages not dispatched can still be cancelled, so a number's queue stays short.
const queueBound = 2_000;
const pollMs = 250;
// A place can become free early: a message fails, or the platform raises the tier.
const tierPollMs = 60_000;

/**
 * Sends the next batch: messages with their jobs, results, and the job of the next batch in one commit, fenced by the claim.
 * A crash at any moment neither repeats nor omits a recipient.
 */
export function sendBatchHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readBroadcastRef(job.payload);
    try {
      await transaction(pool, async (tx) => {
        const broadcast = await lockBroadcast(tx, ref.workspace_id, ref.broadcast_id);
        if ((await finish(tx, [job])) === 0 || broadcast?.status !== 'sending') return;
        // Without a waiting recipient there is nothing to hold back, and the broadcast ends by itself.
        const isHeld = broadcast.paused_at && (await hasWaiting(tx, ref.workspace_id, ref.broadcast_id));
        if (isHeld) return setHeld(tx, ref.workspace_id, ref.broadcast_id, job.payload);
        const next = await sendNext(tx, ref, broadcast);
        if (next) await enqueueJobs(tx, [broadcastJob(sendBatch, { ...ref, behind: next.behind ?? -1 }, next.at)]);
        else await finishBroadcast(tx, clock, { ...ref, id: ref.broadcast_id }, 'sent');
      });
    } catch (error) {
      if (!(error instanceof RecipientsChanged)) throw error;
      return { type: 'retry', run_at: clock.now() };
    }
    return { type: 'finished' };
  }

  /** When and after which position to continue; undefined once the broadcast is sent. */
  async function sendNext(tx: Transaction, ref: BroadcastRef, broadcast: LockedBroadcast): Promise<Next | undefined> {
    const now = clock.now();
    if ((await countJobs(tx, deliverBulk, ref.channel_id, queueBound)) >= queueBound) {
      return { at: new Date(now.getTime() + pollMs) };
    }
    const tier = await lockTier(tx, ref, now);
    const isFull = tier.places === 0;
    const count = isFull ? scanSize : batchSize;
    const behind = isFull ? (ref.behind ?? -1) : -1;
    const waiting = await listWaiting(tx, ref, { behind, now, since: tier.since, count });
    const chosen = chooseWithin(waiting, tier.places).slice(0, batchSize);
    if (chosen.length > 0) {
      await acceptBatch(tx, ref, broadcast, chosen);
      return { at: now, behind };
    }
    if (waiting.length === count) return { at: now, behind: waiting.at(-1)!.position };
    if (await hasWaiting(tx, ref.workspace_id, ref.broadcast_id)) {
      const soon = new Date(now.getTime() + tierPollMs);
      return { at: tier.next_at && tier.next_at < soon ? tier.next_at : soon };
    }
    // The broadcast stays `sending` while a message can still be cancelled.
    const isUnderWay = await hasQueued(tx, ref.workspace_id, ref.broadcast_id);
    return isUnderWay ? { at: new Date(now.getTime() + pollMs) } : undefined;
  }

  async function acceptBatch(
    tx: Transaction,
    ref: BroadcastRef,
    broadcast: LockedBroadcast,
    chosen: WaitingRecipient[],
  ) {
    const results = await sendMessages(
      tx,
      clock,
      chosen.map((recipient) => toSend(ref, broadcast, recipient)),
    );
    const rows = results.map((result, index): RecipientResult => {
      const { position } = chosen[index]!;
      if (result instanceof Refusal) {
        return { position, status: 'refused', error: reasonOf(result), message_id: null, conversation_id: null };
      }
      const { id, conversation_id } = result;
      return { position, status: 'accepted', error: null, message_id: id, conversation_id };
    });
    const stored = await setRecipients(tx, ref.workspace_id, ref.broadcast_id, rows);
    if (stored !== rows.length) throw new RecipientsChanged();
  }

  return { kind: sendBatch, concurrency: 4, group_concurrency: 2, run };
}

interface Next {
  at: Date;
  behind?: number;
}

/** A recipient was erased during the batch: it rolls back and runs again. */
class RecipientsChanged extends Error {}

/** In order: as many as there are places, and all who need none. */
function chooseWithin(waiting: readonly WaitingRecipient[], places: number): WaitingRecipient[] {
  let left = places;
  return waiting.filter(({ takes_place }) => !takes_place || left-- > 0);
}

/** The reason for the operator: the code with its details, each once. */
function reasonOf({ code, extra: { detail: whole, errors = [] } }: Refusal): string {
  const isRepeated = errors.some(({ detail }) => detail === whole);
  const details = [!isRepeated && whole, ...errors.map(({ detail, pointer }) => `${pointer} ${detail}`)];
  return [code, ...details.filter(Boolean)].join(': ');
}
