import { isDeepStrictEqual } from 'node:util';
import type { PlatformTemplate } from '../../platform/template.ts';
import type { DeletedTemplate, StoredTemplate } from '../queries.ts';
import type { TemplateChange } from '../record-changes.ts';

/** The difference between the platform's list and the stored templates. */
export interface ListingChanges {
  added: Omit<StoredTemplate, 'workspace_id' | 'waba_id' | 'id'>[];
  changed: TemplateChange[];
  gone: StoredTemplate[];
}

export interface Listing {
  /** When the list was requested. */
  listed_at: Date;
  /** Templates deleted from this account, here or at the platform. */
  deleted: readonly DeletedTemplate[];
  now: Date;
}

// A list may lag behind the platform's own changes: a template missing so soon is not gone.
const settlingMs = 300_000;

/**
 * Compares the stored templates of an account with a complete list of the platform. A template changed here since `listed_at`
 * is newer than the list and stays.
 */
export function compareListing(
  stored: readonly StoredTemplate[],
  listed: readonly PlatformTemplate[],
  { listed_at, deleted, now }: Listing,
): ListingChanges {
  const known = new Map(stored.map((template) => [keyOf(template), template]));
  const present = new Map(listed.filter((one) => isListed(one, deleted)).map((one) => [keyOf(one), one]));
  const changes: ListingChanges = { added: [], changed: [], gone: [] };
  for (const [key, template] of present) {
    const before = known.get(key);
    if (!before && template.status) changes.added.push(toRow(template, undefined, now));
    if (!before || before.updated_at > listed_at) continue;
    const after = { ...before, ...toRow(template, before, now) };
    if (!isSame(before, after)) changes.changed.push({ before, after });
  }
  for (const [key, template] of known) {
    // A template without the platform's id may still be in submission.
    const wasThere = template.platform_template_id !== null;
    const isSettled = template.updated_at.getTime() <= listed_at.getTime() - settlingMs;
    if (wasThere && !present.has(key) && isSettled) changes.gone.push(template);
  }
  return changes;
}

/**
 * While its removal is pending, a template stays deleted even where the platform lists it. After the removal, only the same id
 * means the same template.
 */
function isListed(template: PlatformTemplate, deleted: readonly DeletedTemplate[]): boolean {
  const isDeleted = deleted.some(
    (one) =>
      one.platform_template_id === template.platform_template_id ||
      (one.removed_at === null && keyOf(one) === keyOf(template)),
  );
  return template.status !== 'deleted' && !isDeleted;
}

/** Values that the platform omits, or that this version does not know, stay unchanged. */
function toRow(listed: PlatformTemplate, before: StoredTemplate | undefined, updated_at: Date) {
  const status = listed.status === 'deleted' ? undefined : listed.status;
  const category = listed.category || (before?.category ?? 'marketing');
  const isStillComing = before !== undefined && before.coming_category !== category;
  const isSameStatus = before !== undefined && (status ?? before.status) === before.status;
  return {
    platform_template_id: listed.platform_template_id,
    name: listed.name,
    language: listed.language,
    category,
    components: withExamples(listed.components as StoredTemplate['components'], before?.components ?? []),
    status: status ?? before!.status,
    rejection_reason: listed.rejection_reason ?? (isSameStatus ? before.rejection_reason : null),
    quality: listed.quality ?? before?.quality ?? null,
    updated_at,
    coming_category: isStillComing ? before.coming_category : null,
    category_changes_at: isStillComing ? before.category_changes_at : null,
    parameter_format: listed.parameter_format ?? before?.parameter_format ?? null,
    is_from_file: before?.is_from_file ?? false,
  };
}

/** The platform does not return every example, such as the sample file of a header. */
function withExamples(
  listed: StoredTemplate['components'],
  before: StoredTemplate['components'],
): StoredTemplate['components'] {
  return listed.map((component) => {
    const { examples } = before.find(({ type }) => type === component.type) ?? {};
    return component.examples || !examples ? component : { ...component, examples };
  });
}

function isSame(before: StoredTemplate, after: StoredTemplate): boolean {
  return isDeepStrictEqual({ ...after, updated_at: null }, { ...before, updated_at: null });
}

function keyOf({ name, language }: { name: string; language: string }): string {
  return JSON.stringify([name, language]);
}
