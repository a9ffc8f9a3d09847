import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { readConversationRef, wakeConversation } from '../jobs.ts';
import { endSnooze } from '../queries.ts';

/**
 * Ends a snooze whose time has come. Lists compare the time with the clock, so they need no job. Open consoles do: without a
 * change of the row, nobody would tell them.
 */
export function wakeConversationHandler({ pool, clock }: Resources): JobHandler {
  async function run({ payload }: Job): Promise<JobOutcome> {
    // A later snooze has a job of its own.
    await endSnooze(pool, clock, readConversationRef(payload));
    return { type: 'done' };
  }
  return { kind: wakeConversation, concurrency: 4, group_concurrency: 2, starts_at_claim: true, run };
}
