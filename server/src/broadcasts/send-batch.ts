import { type Transaction, transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { countJobs } from '../jobs/groups.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import { type Send, sendMessages } from '../messages/accept/send-messages.ts';
import { deliverBulk } from '../messages/jobs.ts';
import type { Resources } from '../process/resources.ts';
import { type BroadcastRef, broadcastJob, readBroadcastRef, sendBatch } from './jobs.ts';
import {
  type HandedOver,
  hasQueued,
  hasWaiting,
  listWaiting,
  lockBroadcast,
  type Standing,
  setRecipients,
  setStatus,
  type Waiting,
} from './queries.ts';
import { lookAtTier } from './tier.ts';

const batchSize = 500;
// Without a place of the tier all who wait are gone through for those who take none: 2,000 of them in 60 ms, where 200,000 in
// one statement would take longer than a statement may.
const lookSize = 2_000;
// What waits for dispatch can still be cancelled, so the queue of a number is kept short; looked at again after this.
const queueBound = 2_000;
const lookAgainMs = 250;
// A place can fall free before its 24 hours are over: a message fails, or the platform raises the tier.
const placesAgainMs = 60_000;

/**
 * Hands the next recipients over: their messages with their jobs, what became of each, and the job of the next batch in
 * one commit, fenced by the claim. So a crash at any moment neither repeats nor leaves out anybody.
 */
export function sendBatchHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const ref = readBroadcastRef(job.payload);
    try {
      await transaction(pool, async (tx) => {
        const standing = await lockBroadcast(tx, ref.workspace_id, ref.broadcast_id);
        if ((await finish(tx, [job])) === 0 || standing?.status !== 'sending') return;
        const next = await sendNext(tx, ref, standing);
        if (next) await enqueueJobs(tx, [broadcastJob(sendBatch, { ...ref, behind: next.behind ?? -1 }, next.at)]);
        else await setStatus(tx, ref.workspace_id, ref.broadcast_id, 'sent');
      });
    } catch (error) {
      if (!(error instanceof RecipientsChanged)) throw error;
      return { type: 'retry', run_at: clock.now() };
    }
    return { type: 'finished' };
  }

  /** When to go on, and behind whom where that is not the first; undefined once nobody waits. */
  async function sendNext(tx: Transaction, ref: BroadcastRef, standing: Standing): Promise<Next | undefined> {
    const now = clock.now();
    if ((await countJobs(tx, deliverBulk, ref.channel_id, queueBound)) >= queueBound) {
      return { at: new Date(now.getTime() + lookAgainMs) };
    }
    const tier = await lookAtTier(tx, ref, now);
    const isFull = tier.places === 0;
    const count = isFull ? lookSize : batchSize;
    const behind = isFull ? (ref.behind ?? -1) : -1;
    const waiting = await listWaiting(tx, ref, { behind, now, since: tier.since, count });
    const chosen = withinPlaces(waiting, tier.places).slice(0, batchSize);
    if (chosen.length > 0) {
      await handOver(tx, ref, standing, chosen);
      return { at: now, behind };
    }
    if (waiting.length === count) return { at: now, behind: waiting.at(-1)!.position };
    if (await hasWaiting(tx, ref.workspace_id, ref.broadcast_id)) {
      const soon = new Date(now.getTime() + placesAgainMs);
      return { at: tier.next_at && tier.next_at < soon ? tier.next_at : soon };
    }
    // What is not dispatched yet can still be cancelled.
    const isUnderWay = await hasQueued(tx, ref.workspace_id, ref.broadcast_id);
    return isUnderWay ? { at: new Date(now.getTime() + lookAgainMs) } : undefined;
  }

  async function handOver(tx: Transaction, ref: BroadcastRef, standing: Standing, chosen: Waiting[]): Promise<void> {
    const results = await sendMessages(
      tx,
      clock,
      chosen.map((recipient) => toSend(ref, standing, recipient)),
    );
    const handed = results.map((result, index): HandedOver => {
      const { position } = chosen[index]!;
      if (result instanceof Refusal) {
        return { position, status: 'refused', error: reasonOf(result), message_id: null, conversation_id: null };
      }
      const { id, conversation_id } = result;
      return { position, status: 'accepted', error: null, message_id: id, conversation_id };
    });
    const kept = await setRecipients(tx, ref.workspace_id, ref.broadcast_id, handed);
    if (kept !== handed.length) throw new RecipientsChanged();
  }

  return { kind: sendBatch, concurrency: 4, group_concurrency: 2, run };
}

interface Next {
  at: Date;
  behind?: number;
}

/** A recipient was erased while the batch was made: nothing of it is kept, and it is made anew without them. */
class RecipientsChanged extends Error {}

/** In their order, as many as there are places for; those who take none go through. */
function withinPlaces(waiting: readonly Waiting[], places: number): Waiting[] {
  let left = places;
  return waiting.filter(({ takes_place }) => !takes_place || left-- > 0);
}

function toSend(ref: BroadcastRef, standing: Standing, { identifier, params }: Waiting): Send {
  const { workspace_id, broadcast_id, channel_id } = ref;
  const { template_name, template_language } = standing;
  return {
    names: { workspace_id, channel_id, identifier, wa_id: identifier.slice(1), template_name, template_language },
    content: { kind: 'template', template: { name: template_name, language: template_language, params } },
    reopens: true,
    actor: { kind: 'broadcast', id: broadcast_id },
    broadcast_id,
  };
}

/** What the operator reads: the code, and what it is about where that says more. */
function reasonOf({ code, extra }: Refusal): string {
  const details = [extra.detail, ...(extra.errors ?? []).map(({ detail, pointer }) => `${pointer} ${detail}`)];
  return [code, ...details.filter(Boolean)].join(': ');
}
