import { groupCommit } from '../database/group-commit.ts';
import type { Pool } from '../database/pool.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { enqueueJobs, enqueueLargeJobs } from '../jobs/enqueue.ts';
import type { NewJob } from '../jobs/job.ts';
import { findBusyQueues, joinQueues } from '../jobs/queues.ts';
import type { OfNumber } from './divide-by-number.ts';
import { processWebhook, processWebhookJob, splitWebhook, splitWebhookJob } from './jobs.ts';
import type { NotificationPart } from './split-notification.ts';

/** A notification as it has arrived. */
export interface ArrivedNotification {
  signer: NotificationSigner;
  of_numbers: OfNumber[];
  /** Its parts, if they are few. */
  parts: NotificationPart[] | undefined;
}

export interface NotificationSigner {
  /** The fingerprint (hex) of the app secret that signed it. */
  signed_by: string;
  channel_id: string;
  workspace_id: string;
}

type Origin = Pick<NotificationSigner, 'signed_by' | 'channel_id'> & { run_at: Date };

/** Stores notifications. The platform sends many small ones at once, and concurrent ones share a commit. */
export function createStoreNotifications(pool: Pool, now: () => Date): (arrived: ArrivedNotification) => Promise<void> {
  const storeSmall = groupCommit(
    pool,
    async (tx, notifications: ArrivedNotification[]) => {
      const lines = notifications.flatMap(({ of_numbers }) => of_numbers.map(({ line }) => line));
      const busy = await findBusyQueues(tx, splitWebhook, lines);
      const isDirect = ({ of_numbers }: ArrivedNotification) => !of_numbers.some(({ line }) => busy.has(line));
      const direct = notifications
        .filter(isDirect)
        .flatMap(({ signer, parts }) => parts!.map((part) => ({ part, origin: { ...signer, run_at: now() } })));
      await enqueueParts(tx, direct);
      await enqueueJobs(tx, notifications.filter((one) => !isDirect(one)).flatMap(jobsOfLines));
      return notifications;
    },
    { tenant_of: ({ signer }) => signer.channel_id },
  );

  /** The notification as one job for each number, which splits it after those before it. */
  function jobsOfLines({ signer, of_numbers }: ArrivedNotification): NewJob[] {
    return of_numbers.map((ofNumber) => splitWebhookJob({ ...signer, ...ofNumber, run_at: now() }));
  }

  return async (arrived) => {
    if (arrived.parts) await storeSmall(arrived);
    else await transaction(pool, (tx) => enqueueLargeJobs(tx, jobsOfLines(arrived)));
  };
}

/** Enqueues the processing of parts, in their order. */
export async function enqueueParts(
  tx: Transaction,
  parts: readonly { part: NotificationPart; origin: Origin }[],
): Promise<void> {
  const jobs = parts.map(({ part: { body, queue_key }, origin: { signed_by, channel_id, run_at } }) =>
    processWebhookJob({ signed_by, body, group_id: channel_id, queue_key, run_at }),
  );
  await enqueueJobs(tx, jobs);
  // A change of number runs after the jobs of the old number and before those of the new one.
  for (const { part } of parts) {
    const { former_queue_keys, queue_key } = part;
    if (former_queue_keys.length > 0) await joinQueues(tx, processWebhook, former_queue_keys, queue_key!);
  }
}
