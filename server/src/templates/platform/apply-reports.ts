import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { TemplateCategoryItem, TemplateQualityItem, TemplateStatusItem } from '../../platform/types.ts';
import type { Clock } from '../../process/clock.ts';
import { syncTemplatesJob } from '../jobs.ts';
import { type DeletedTemplate, deleteTemplates, lockTemplates, type StoredTemplate } from '../queries.ts';
import { recordChanges, type TemplateChange } from '../record-changes.ts';

/** What the platform reports of a template, and a channel of the account that it is in. */
export interface TemplateReport {
  workspace_id: string;
  channel_id: string;
  waba_id: string;
  item: TemplateStatusItem | TemplateQualityItem | TemplateCategoryItem;
}

/**
 * Applies reviews in their order; each changed status records its event. A report is a part of the truth, may be late,
 * and may be of a template that is not known yet: so the account is read anew after each.
 */
export async function applyReports(tx: Transaction, clock: Clock, reviews: readonly TemplateReport[]): Promise<void> {
  if (reviews.length === 0) return;
  // Reported once for each channel of the account: one of them stands for all.
  const accounts = new Map(reviews.map((review) => [`${review.workspace_id} ${review.waba_id}`, review]));
  const templates = new Map((await lockTemplates(tx, [...accounts.values()])).map((row) => [row.id, row]));
  const now = clock.now();
  const changes: TemplateChange[] = [];
  const deleted: DeletedTemplate[] = [];

  for (const review of reviews) {
    const before = findReported([...templates.values()], review);
    if (!before) continue;
    const { item } = review;
    if (item.type === 'template_status' && item.status === 'deleted') {
      templates.delete(before.id);
      deleted.push({ ...before, deleted_at: now, removed_at: now });
      continue;
    }
    const told: Partial<StoredTemplate> = {
      platform_template_id: item.platform_template_id,
      ...readReport(before, item),
    };
    if (isKnown(before, told)) continue;
    const { platform_template_id, reported_at, ...shown } = told;
    const after = { ...before, ...told, updated_at: isKnown(before, shown) ? before.updated_at : now };
    templates.set(before.id, after);
    changes.push({ before, after });
  }
  await recordChanges(tx, clock, changes);
  await deleteTemplates(tx, deleted);
  await enqueueJobs(
    tx,
    [...accounts.values()].map((account) => syncTemplatesJob(account, now)),
  );
}

/**
 * By the platform's id, else by name and language: a new template's id may not be known yet. A deletion is of no other
 * than it names: the name may be a new template's by now.
 */
function findReported(
  templates: readonly StoredTemplate[],
  { workspace_id, waba_id, item }: TemplateReport,
): StoredTemplate | undefined {
  const candidates = templates.filter((row) => row.workspace_id === workspace_id && row.waba_id === waba_id);
  const named = candidates.find((row) => row.platform_template_id === item.platform_template_id);
  if (named || (item.type === 'template_status' && item.status === 'deleted')) return named;
  return candidates.find(
    (row) => row.platform_template_id === null && row.name === item.name && row.language === item.language,
  );
}

/** What a report changes. One on the status that is older than the last one, by the platform's time, changes nothing. */
function readReport(before: StoredTemplate, item: TemplateReport['item']): Partial<StoredTemplate> {
  switch (item.type) {
    case 'template_status': {
      const { status, reason, at } = item;
      if (status === 'deleted' || (at && before.reported_at && at < before.reported_at)) return {};
      return { status, rejection_reason: reason ?? null, reported_at: at ?? before.reported_at };
    }
    case 'template_quality':
      return { quality: item.quality };
    case 'template_category':
      return { category: item.category || before.category };
  }
}

/** Whether a report says what is known, whenever it was made. */
function isKnown(before: StoredTemplate, told: Partial<StoredTemplate>): boolean {
  return Object.entries(told).every(([name, value]) => {
    const known = before[name as keyof StoredTemplate];
    return value instanceof Date && known instanceof Date ? value.getTime() === known.getTime() : value === known;
  });
}
