import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobOutcome } from '../jobs/job.ts';
import { start } from '../jobs/queries.ts';
import type { Resources } from '../process/resources.ts';
import type { Mailer } from './create-mailer.ts';
import type { Email } from './email.ts';

export interface Letter {
  email: Email;
  /** For the log: the purpose of the e-mail and the id of its subject. */
  what: string;
  about: object;
  /** The time after which the e-mail is useless and is given up. */
  late_at: Date;
}

/**
 * Sends the e-mail of a job at most once. The job passes its point of no return when the mail server is ready for the
 * text, before the first byte of it. A failure before that point is retried; after it, the e-mail may have arrived.
 */
export async function emailOnce(
  { pool, clock, log }: Pick<Resources, 'pool' | 'clock' | 'log'>,
  mailer: Mailer,
  job: Job,
  { email, what, about, late_at }: Letter,
): Promise<JobOutcome> {
  if (job.started_at) {
    log.warn(about, `${what} was cut off, and may have arrived`);
    return { type: 'done' };
  }
  const outcome = await mailer.send(email, async () => (await start(pool, [job], clock.now())).size > 0);
  if (outcome.type === 'sent' || outcome.type === 'lost') return { type: 'done' };
  log.warn({ ...about, outcome }, `${what} was not delivered`);
  if (outcome.type !== 'try_again' || clock.now() > late_at) return { type: 'done' };
  return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
}
