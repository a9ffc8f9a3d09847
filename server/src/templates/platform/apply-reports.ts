import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type {
  TemplateCategoryItem,
  TemplateChangeItem,
  TemplateQualityItem,
  TemplateStatusItem,
} from '../../platform/account-items.ts';
import type { Clock } from '../../process/clock.ts';
import { syncTemplatesJob } from '../jobs.ts';
import { type DeletedTemplate, deleteTemplates, lockTemplates, type StoredTemplate } from '../queries.ts';
import { recordChanges, type TemplateChange } from '../record-changes.ts';

/** A webhook's report on a template, with a channel of the template's account. */
export interface TemplateReport {
  workspace_id: string;
  channel_id: string;
  waba_id: string;
  /** A report that is as new was applied before. */
  is_outdated: boolean;
  item: TemplateStatusItem | TemplateQualityItem | TemplateCategoryItem | TemplateChangeItem;
}

/** A report that states a value. */
type ValueItem = Exclude<TemplateReport['item'], TemplateChangeItem>;

/**
 * Applies reports in order, with an event for each new status. A report may be partial, outdated, or about an unknown
 * template. So each account is synchronised afterwards.
 */
export async function applyReports(tx: Transaction, clock: Clock, reports: readonly TemplateReport[]): Promise<void> {
  if (reports.length === 0) return;
  // The platform reports once per channel of an account: one synchronisation serves all.
  const accounts = new Map(reports.map((report) => [`${report.workspace_id} ${report.waba_id}`, report]));
  const templates = new Map((await lockTemplates(tx, [...accounts.values()])).map((row) => [row.id, row]));
  const now = clock.now();
  const changes: TemplateChange[] = [];
  const deleted: DeletedTemplate[] = [];

  for (const report of reports) {
    const { item } = report;
    if (item.type === 'template_change') continue;
    const before = report.is_outdated ? undefined : findReported([...templates.values()], { ...report, item });
    if (!before) continue;
    if (item.type === 'template_status' && item.status === 'deleted') {
      templates.delete(before.id);
      deleted.push({ ...before, deleted_at: now, removed_at: now });
      continue;
    }
    const change = { platform_template_id: item.platform_template_id, ...readReport(before, item) };
    if (isKnown(before, change)) continue;
    const { platform_template_id, coming_category, category_changes_at, ...shown } = change;
    const after = { ...before, ...change, updated_at: isKnown(before, shown) ? before.updated_at : now };
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
 * Finds by the platform's id, else by name and language, because a new template's id may be unknown yet. A deletion matches by
 * id only: a new template may have the name by now.
 */
function findReported(
  templates: readonly StoredTemplate[],
  { workspace_id, waba_id, item }: TemplateReport & { item: ValueItem },
): StoredTemplate | undefined {
  const candidates = templates.filter((row) => row.workspace_id === workspace_id && row.waba_id === waba_id);
  const byId = candidates.find((row) => row.platform_template_id === item.platform_template_id);
  if (byId || (item.type === 'template_status' && item.status === 'deleted')) return byId;
  return candidates.find(
    (row) => row.platform_template_id === null && row.name === item.name && row.language === item.language,
  );
}

/** The columns that a report changes. */
function readReport(before: StoredTemplate, item: ValueItem): Partial<StoredTemplate> {
  switch (item.type) {
    case 'template_status':
      return item.status === 'deleted' ? {} : { status: item.status, rejection_reason: item.reason ?? null };
    case 'template_quality':
      return { quality: item.quality };
    case 'template_category':
      return { category: item.category ?? before.category, ...readComing(before, item) };
  }
}

/** A report that announces no other category ends what was announced: the change is done, or it is withdrawn. */
function readComing(before: StoredTemplate, item: TemplateCategoryItem) {
  const { category = before.category, announced_category, announced_for } = item;
  if (!announced_category || announced_category === category) {
    return { coming_category: null, category_changes_at: null };
  }
  return { coming_category: announced_category, category_changes_at: announced_for ?? null };
}

/** Whether the template has these values already. */
function isKnown(before: StoredTemplate, change: Partial<StoredTemplate>): boolean {
  return Object.entries(change).every(([name, value]) =>
    isDeepStrictEqual(before[name as keyof StoredTemplate], value),
  );
}
