import type { Transaction } from '../database/transaction.ts';
import type { NewJob } from './job.ts';
import { insertJobs } from './queries.ts';

/**
 * Enqueues jobs in the transaction of their cause, so both commit or neither does. The announcement of their kinds wakes the
 * workers at once.
 */
export async function enqueueJobs(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
  await insertJobs(tx, jobs);
  for (const job of jobs) tx.announce(job.kind);
}
