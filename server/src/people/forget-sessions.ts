import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';
import { deleteExpiredChallenges } from './challenges.ts';
import { forgetSessions } from './jobs.ts';
import { deleteExpiredLinks } from './links.ts';
import { deleteEndedSessions } from './sessions.ts';

const hourSeconds = 3_600;

/** Deletes ended sessions, expired links and expired challenges every hour. */
export function forgetSessionsHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    await deleteEndedSessions(pool, clock);
    await deleteExpiredLinks(pool, clock);
    await deleteExpiredChallenges(pool, clock);
  }
  return repeatJob({ pool, clock, config }, { kind: forgetSessions, every_seconds: hourSeconds, perform });
}
