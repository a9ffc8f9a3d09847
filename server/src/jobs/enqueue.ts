import type { Transaction } from '../database/transaction.ts';
import type { NewJob } from './job.ts';
import { insertJobs, insertLargeJob } from './queries.ts';

/**
 * Enqueues jobs in the transaction of their cause, so both commit or neither does. The announcement of their kinds wakes the
 * workers at once.
 */
export async function enqueueJobs(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
  await insertJobs(tx, jobs);
  for (const job of jobs) tx.announce(job.kind);
}

/** The same for jobs of large payloads, one by one, so that none adds to the turn of another. */
export async function enqueueLargeJobs(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
  for (const job of jobs) {
    await insertLargeJob(tx, job);
    tx.announce(job.kind);
  }
}
