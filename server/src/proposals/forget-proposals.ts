import { deleteEndedProposals, forgetProposals } from '../automation/forget-proposals.ts';
import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';

const hourSeconds = 3_600;
const dayMs = 86_400_000;
const endedDays = 30;

/** Every hour, deletes what was refused, or ended without a decision, a month ago. What was accepted stays with its message. */
export function forgetProposalsHandler({ config, pool, clock }: Resources): JobHandler {
  return repeatJob(
    { pool, clock, config },
    {
      kind: forgetProposals,
      every_seconds: hourSeconds,
      perform: () => deleteEndedProposals(pool, new Date(clock.nowMs() - endedDays * dayMs)),
    },
  );
}
