import type { Transaction } from '../database/transaction.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Clock } from '../process/clock.ts';
import { templateQualityUpdated, templateStatusUpdated } from './events.ts';
import { addReviews, type StoredTemplate, updateTemplates } from './queries.ts';

/** A template before and after one change. Changes of one template follow each other. */
export interface TemplateChange {
  before: StoredTemplate;
  after: StoredTemplate;
}

/** Stores changes in order. Each new status or reason becomes an entry of the review history. */
export async function storeChanges(tx: Transaction, changes: readonly TemplateChange[]): Promise<void> {
  const last = new Map(changes.map(({ after }) => [after.id, after]));
  await updateTemplates(tx, [...last.values()]);
  await addReviews(
    tx,
    changes.filter((change) => hasNewStatus(change) || hasNewReason(change)).map(({ after }) => after),
  );
}

/** Stores changes reported by the platform, with an event for each new status and quality. */
export async function recordChanges(tx: Transaction, clock: Clock, changes: readonly TemplateChange[]): Promise<void> {
  await storeChanges(tx, changes);
  await recordEvents(
    tx,
    clock,
    changes.flatMap((change) => [
      ...(hasNewStatus(change) ? [templateStatusUpdated(change.after)] : []),
      ...(hasNewQuality(change) ? [templateQualityUpdated(change.after)] : []),
    ]),
  );
}

function hasNewStatus({ before, after }: TemplateChange): boolean {
  return before.status !== after.status;
}

// The platform's word for a template that it has not rated.
const unrated = 'UNKNOWN';

function hasNewQuality({ before, after }: TemplateChange): boolean {
  return (before.quality ?? unrated) !== (after.quality ?? unrated);
}

function hasNewReason({ before, after }: TemplateChange): boolean {
  return before.rejection_reason !== after.rejection_reason;
}
