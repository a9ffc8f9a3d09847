import { findAccountAccess } from '../channels/queries.ts';
import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Clock } from '../process/clock.ts';
import { removeTemplateJob } from './jobs.ts';
import { deleteTemplates, lockTemplate, type TemplateRef } from './queries.ts';

/** Deletes a template, with the job that removes it at the platform. Its name is blocked from now on. */
export async function deleteTemplate(tx: Transaction, clock: Clock, ref: TemplateRef): Promise<void> {
  const template = await lockTemplate(tx, ref);
  if (!template) throw new Refusal('not_found');
  const now = clock.now();
  await deleteTemplates(tx, [{ ...template, deleted_at: now, removed_at: null }]);
  const access = await findAccountAccess(tx, template);
  // Without a channel of the account, no call to the platform is possible.
  if (access) await enqueueJobs(tx, [removeTemplateJob(ref, access.channel_id, now)]);
}
