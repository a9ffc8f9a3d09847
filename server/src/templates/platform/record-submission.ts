import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { describePlatformError } from '../../platform/describe-error.ts';
import type { TemplateCreation } from '../../platform/types.ts';
import type { Clock } from '../../process/clock.ts';
import { syncTemplatesJob } from '../jobs.ts';
import { lockTemplate, type StoredTemplate, setSubmitted, type TemplateRef } from '../queries.ts';
import { recordChanges } from '../record-changes.ts';

/** What the platform answered, or why it was not asked. */
export type Submission = Exclude<TemplateCreation, { type: 'away' }> | { type: 'lacking'; reason: string };

/** Records what became of a new template's submission; what the platform's answer leaves out is read from its list. */
export async function recordSubmission(
  tx: Transaction,
  clock: Clock,
  ref: TemplateRef,
  channel_id: string,
  creation: Submission,
): Promise<void> {
  const before = await lockTemplate(tx, ref);
  const now = clock.now();
  if (before && creation.type === 'created') await setSubmitted(tx, ref, now);
  // Deleted meanwhile, its removal finds it at the platform; a review that came before the answer knows more than it.
  if (!before || before.platform_template_id !== null) return;
  const after: StoredTemplate = { ...before, ...readAnswer(before, creation), updated_at: now };
  if (creation.type !== 'exists') await recordChanges(tx, clock, [{ before, after }]);
  if (isIncomplete(creation, after)) {
    await enqueueJobs(tx, [syncTemplatesJob({ workspace_id: ref.workspace_id, channel_id }, now)]);
  }
}

function readAnswer(before: StoredTemplate, creation: Submission): Partial<StoredTemplate> {
  switch (creation.type) {
    case 'created': {
      const { platform_template_id, status = before.status, category = before.category } = creation;
      return { platform_template_id, status, category };
    }
    case 'refused':
      return { status: 'rejected', rejection_reason: describePlatformError(creation.error) };
    case 'lacking':
      return { status: 'rejected', rejection_reason: creation.reason };
    case 'exists':
      return {};
  }
}

/** The list alone has the id of a template that exists, the reason of a rejection and the text of a one-time code. */
function isIncomplete({ type }: Submission, { status, category }: StoredTemplate): boolean {
  return type === 'exists' || (type === 'created' && (status === 'rejected' || category === 'authentication'));
}
