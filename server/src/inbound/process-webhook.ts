import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { NumbersHandedOn } from '../contacts/write/hand-on-numbers.ts';
import { TwoContacts } from '../contacts/write/two-contacts.ts';
import { groupCommit } from '../database/group-commit.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { transaction } from '../database/transaction.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish, isHeld, retry } from '../jobs/queries.ts';
import { parseNotification } from '../platform/webhook/parse-notification.ts';
import { parseWebhook } from '../platform/webhook/parse-webhook.ts';
import type { Resources } from '../process/resources.ts';
import { type ApplyOptions, applyItems, type SignedItem } from './apply-items.ts';
import { createCountUnapplied } from './count-unapplied.ts';
import { handOnNumber } from './hand-on-number.ts';
import { processWebhook, readWebhook } from './jobs.ts';
import { joinTwoContacts } from './join-two-contacts.ts';

/**
 * Processes stored notifications, many in one transaction. A failing notification is processed item by item, so that a bad item
 * stops neither its neighbours nor the queue. It is retried, and items are idempotent.
 */
export function processWebhookHandler(resources: Resources, holders: readonly ContactHolder[]): JobHandler {
  const { pool, clock, log, metrics } = resources;
  const countUnapplied = createCountUnapplied(metrics, log, () => clock.nowMs());
  const finished: JobOutcome = { type: 'finished' };

  const processTogether = groupCommit(
    pool,
    async (tx, notifications: Notification[]) => {
      await applyItems(
        tx,
        resources,
        notifications.flatMap(({ items }) => items),
      );
      const jobs = notifications.map(({ job }) => job);
      // An erasure took a job of the batch, whose items were applied here, so the batch rolls back.
      if ((await finish(tx, jobs)) < jobs.length) throw new JobLost();
      return notifications.map(() => finished);
    },
    // One batch runs while the other waits for its commit. Queue keys keep the messages of a customer in order.
    { concurrency: 2, tenant_of: ({ job }) => job.group_id },
  );

  /** Repeats the work after the platform named two contacts as one person, or one number as two persons', and this was settled. */
  async function joiningContacts<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let joins = 0; ; joins++) {
      try {
        return await work();
      } catch (error) {
        if (joins === mostJoins) throw error;
        if (error instanceof TwoContacts) await joinTwoContacts(resources, holders, error);
        else if (error instanceof NumbersHandedOn)
          for (const number of error.numbers) await handOnNumber(resources, number);
        else throw error;
      }
    }
  }

  async function processItem(job: Job, item: SignedItem): Promise<void> {
    const apply = (options?: ApplyOptions) =>
      transaction(pool, async (tx) => {
        await applyItems(tx, resources, [item], options);
        if (!(await isHeld(tx, job))) throw new JobLost();
      });
    try {
      await joiningContacts(apply);
    } catch (error) {
      if (!(error instanceof TwoContacts)) throw error;
      // One of the two begins with this item, and an earlier report names it too. They are joined once the item is stored.
      await apply({ ignores_early_changes: true });
      await joiningContacts(apply);
    }
  }

  /** Whether every item succeeded. */
  async function processItemByItem({ job, items }: Notification): Promise<boolean> {
    let isComplete = true;
    for (const item of items) {
      try {
        await processItem(job, item);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        if (error instanceof JobLost) return true;
        log.error({ err: error, item: item.item.type, job_id: job.id }, 'an item of a notification failed');
        isComplete = false;
      }
    }
    return isComplete;
  }

  /** Retries it later without its queue key, so that the customer's next messages do not wait. */
  async function retryLater({ job }: Notification): Promise<JobOutcome> {
    const run_at = new Date(clock.nowMs() + backoffMs(job.failures));
    await retry(pool, [{ job, run_at, failed: true, leaves_queue: true }]);
    return finished;
  }

  return {
    kind: processWebhook,
    concurrency: 256,
    // A number with a backlog leaves a quarter of the places, and the claims serve the numbers in turn.
    group_concurrency: 192,
    async run(job) {
      const notification = { job, items: readItems(job) };
      for (const { item } of notification.items) metrics.inbound.inc({ item: item.type });
      countUnapplied(notification.items.map(({ item }) => item));
      try {
        return await joiningContacts(() => processTogether(notification));
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        if (error instanceof JobLost) return finished;
        return (await processItemByItem(notification)) ? { type: 'done' } : retryLater(notification);
      }
    },
  };
}

// The contacts of a batch that fails together are joined by each of its notifications.
const mostJoins = 3;

/** This worker no longer holds the job. */
class JobLost extends Error {}

interface Notification {
  job: Job;
  items: SignedItem[];
}

function readItems(job: Job): SignedItem[] {
  const { signed_by, body } = readWebhook(job.payload);
  return parseWebhook(parseNotification(body), job.run_at).map((item) => ({
    signed_by,
    channel_id: job.group_id,
    item,
  }));
}
