import type { Transaction } from '../database/transaction.ts';
import type { NewJob } from './job.ts';
import { insert } from './queries.ts';

/**
 * Enqueues jobs in the transaction of what they follow from: both commit or neither does. Their kinds are announced,
 * so that the workers begin at once.
 */
export async function enqueueJobs(tx: Transaction, jobs: readonly NewJob[]): Promise<void> {
  await insert(tx, jobs);
  for (const job of jobs) tx.announce(job.kind);
}
