import { groupCommit } from '../database/group-commit.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { transaction } from '../database/transaction.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { finish, isHeld, retry } from '../jobs/queries.ts';
import { parsePlatformJson } from '../platform/parse-platform-json.ts';
import { parseWebhook } from '../platform/webhook/parse-webhook.ts';
import type { Resources } from '../process/resources.ts';
import { applyItems, type SignedItem } from './apply-items.ts';
import { processWebhook, readWebhook } from './jobs.ts';

/**
 * Works through stored notifications, many in one transaction. One that fails is worked through item by item, so that
 * a single bad item holds back neither its neighbours nor the queue; it is tried again, and repeats change nothing.
 */
export function processWebhookHandler(resources: Resources): JobHandler {
  const { pool, clock, log, metrics } = resources;
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
      // One that was taken away, because a contact in it was erased, takes the batch back: its items were applied.
      if ((await finish(tx, jobs)) < jobs.length) throw new TakenAway();
      return notifications.map(() => finished);
    },
    // One batch is made ready while the other waits for its commit; what one customer wrote is one after the other
    // all the same, by its queue key.
    { concurrency: 2, tenant_of: ({ job }) => job.group_id },
  );

  /** Whether every item went well. */
  async function processItemByItem({ job, items }: Notification): Promise<boolean> {
    let allWell = true;
    for (const item of items) {
      try {
        await transaction(pool, async (tx) => {
          await applyItems(tx, resources, [item]);
          if (!(await isHeld(tx, job))) throw new TakenAway();
        });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        if (error instanceof TakenAway) return true;
        log.error({ err: error, item: item.item.type, job_id: job.id }, 'an item of a notification failed');
        allWell = false;
      }
    }
    return allWell;
  }

  /** Tries it again later, without its queue key: what the same customer wrote next does not wait for it. */
  async function putAside({ job }: Notification): Promise<JobOutcome> {
    const run_at = new Date(clock.nowMs() + backoffMs(job.failures));
    await retry(pool, [{ job, run_at, failed: true, leaves_queue: true }]);
    return finished;
  }

  return {
    kind: processWebhook,
    concurrency: 256,
    group_concurrency: 256,
    async run(job) {
      const notification = { job, items: readItems(job) };
      for (const { item } of notification.items) metrics.inbound.inc({ item: item.type });
      try {
        return await processTogether(notification);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        if (error instanceof TakenAway) return finished;
        return (await processItemByItem(notification)) ? { type: 'done' } : putAside(notification);
      }
    },
  };
}

/** The job is no longer held by who worked at it. */
class TakenAway extends Error {
  override readonly name = 'TakenAway';
}

interface Notification {
  job: Job;
  items: SignedItem[];
}

function readItems(job: Job): SignedItem[] {
  const { signed_by, body } = readWebhook(job.payload);
  return parseWebhook(parsePlatformJson(body)).map((item) => ({ signed_by, channel_id: job.group_id, item }));
}
