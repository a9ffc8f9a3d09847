import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { describePlatformError } from '../../platform/describe-error.ts';
import type { TemplateCreation } from '../../platform/template.ts';
import type { Clock } from '../../process/clock.ts';
import { syncTemplatesJob } from '../jobs.ts';
import { lockTemplate, type StoredTemplate, setSubmitted, type TemplateRef } from '../queries.ts';
import { recordChanges } from '../record-changes.ts';

/** The platform's answer, or the reason why no call was made. */
export type Submission = Exclude<TemplateCreation, { type: 'away' }> | { type: 'lacking'; reason: string };

/** Records the outcome of a submission. A synchronisation reads the values that the answer leaves out. */
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
  // The removal job finds a template that was deleted meanwhile. A report that came first is newer than this answer.
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

/** Only the list has the id of an existing template, a rejection's reason and the text of a one-time code. */
function isIncomplete({ type }: Submission, { status, category }: StoredTemplate): boolean {
  return type === 'exists' || (type === 'created' && (status === 'rejected' || category === 'authentication'));
}
