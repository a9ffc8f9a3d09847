import type { TemplateCreate } from '@majlis/contract';
import { findFirstAccount } from '../channels/queries.ts';
import { newId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Clock } from '../process/clock.ts';
import { findSampleFaults } from './check/find-sample-faults.ts';
import { findTemplateFaults } from './check/find-template-faults.ts';
import { submitTemplateJob } from './jobs.ts';
import { findDeletions, insertTemplates, type StoredTemplate } from './queries.ts';
import { isNameBlocked } from './rules.ts';

/**
 * Stores a template as `pending` in the account of the workspace's first channel, with the job that submits it to the
 * platform's review.
 */
export async function createTemplate(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { name, language, category, components }: TemplateCreate,
): Promise<StoredTemplate> {
  const faults = findTemplateFaults({ name, language, category, components });
  if (faults.length > 0) throw invalid(faults);
  const sampleFaults = await findSampleFaults(tx, workspace_id, components);
  if (sampleFaults.length > 0) throw invalid(sampleFaults);
  const account = await findFirstAccount(tx, workspace_id);
  if (!account) {
    throw new Refusal('unprocessable_content', { detail: 'The workspace has no channel to keep a template for.' });
  }
  const now = clock.now();
  const template: StoredTemplate = {
    workspace_id,
    id: newId(clock),
    waba_id: account.waba_id,
    platform_template_id: null,
    name,
    language,
    category,
    components,
    status: 'pending',
    rejection_reason: null,
    quality: null,
    updated_at: now,
    coming_category: null,
    category_changes_at: null,
    // As it is submitted.
    parameter_format: 'positional',
    is_from_file: false,
  };
  const inserted = await insertTemplates(tx, [template]);
  if (inserted.size === 0) throw invalid({ detail: 'names a template that exists in this language', pointer: '/name' });
  // After the insert, because it waits for a concurrent deletion of the same template, which must count.
  const deletions = await findDeletions(tx, workspace_id, [name]);
  if (isNameBlocked(deletions.get(name), now)) {
    const detail = 'was the name of a template that was deleted, and cannot be used again for 30 days';
    throw invalid({ detail, pointer: '/name' });
  }
  await enqueueJobs(tx, [submitTemplateJob({ workspace_id, template_id: template.id }, account.channel_id, now)]);
  return template;
}
