import { mapInSlices } from '../concurrency/map-in-slices.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { takeFollowers } from '../jobs/queues.ts';
import { runSteps } from '../jobs/run-steps.ts';
import { sharePlacesOfTenants } from '../jobs/share-places-of-handler.ts';
import { parseNotification } from '../platform/webhook/parse-notification.ts';
import type { Resources } from '../process/resources.ts';
import { readWebhook, smallBytes, splitWebhook } from './jobs.ts';
import { readStep, splitLarge } from './large-notifications.ts';
import { type NotificationPart, splitNotification } from './split-notification.ts';
import { enqueueParts } from './store-notifications.ts';

// A step takes some 20 ms, and a run begins with the split of the whole, of up to 700 ms in the thread.
const steps_at_once = 40;
const followersAtOnce = 50;

/**
 * Splits stored notifications that are too large for one statement, in steps. Later notifications of the same number wait
 * in the line behind it, and many small ones are split with its last step.
 */
export function splitWebhookHandler({ pool, clock, log, config }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const steps = await stepsOf(job);
    return runSteps(pool, job, {
      count: steps.length,
      at_once: steps_at_once,
      lease_seconds: config.leaseSeconds,
      async perform(tx, step) {
        await enqueue(tx, job, readStep(steps[step]!));
        if (step + 1 < steps.length) return;
        const followers = await takeFollowers(tx, job, { count: followersAtOnce, bytes: smallBytes });
        const split = await mapInSlices(followers, ({ payload }) => splitText(readWebhook(payload).body));
        for (const [n, follower] of followers.entries()) await enqueue(tx, follower, split[n]!);
      },
    });
  }

  async function stepsOf({ payload, tenant_id, id }: Job): Promise<string[]> {
    const { body } = readWebhook(payload);
    if (body.length <= smallBytes) return [JSON.stringify(splitText(body))];
    try {
      return await splitLarge(tenant_id!, body);
    } catch (error) {
      // The notifications behind it must not wait for ever.
      log.error({ err: error, job_id: id }, 'a notification could not be split and is processed whole');
      const whole: NotificationPart = { body, queue_key: undefined, former_queue_keys: [] };
      return [JSON.stringify([whole])];
    }
  }

  function enqueue(
    tx: Transaction,
    { payload, group_id }: Pick<Job, 'payload' | 'group_id'>,
    parts: readonly NotificationPart[],
  ): Promise<void> {
    const origin = { signed_by: readWebhook(payload).signed_by, channel_id: group_id, run_at: clock.now() };
    return enqueueParts(
      tx,
      parts.map((part) => ({ part, origin })),
    );
  }

  return sharePlacesOfTenants(pool, { kind: splitWebhook, concurrency: 4, group_concurrency: 1, run }, 1);
}

function splitText(text: string): NotificationPart[] {
  return splitNotification(parseNotification(text), text);
}
