import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';
import { forgetChanges } from './feed.ts';
import { forgetLiveChanges } from './jobs.ts';

const everySeconds = 60;

export function forgetLiveChangesHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    while (await forgetChanges(pool));
  }
  return repeatJob({ pool, clock, config }, { kind: forgetLiveChanges, every_seconds: everySeconds, perform });
}
