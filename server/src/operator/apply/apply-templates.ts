import { isDeepStrictEqual } from 'node:util';
import { findFirstAccount } from '../../channels/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findDeletions, insertTemplates, lockTemplates, type StoredTemplate } from '../../templates/queries.ts';
import { storeChanges } from '../../templates/record-changes.ts';
import { isNameBlocked } from '../../templates/rules.ts';
import type { Kept } from './kept.ts';
import type { FileTemplate } from './workspace-file.ts';

/**
 * Saves templates of the first channel's account by name and language. A template that a person or a program made stays
 * unchanged and is named in `kept`. So does one that the platform has reported. A name blocked by a deletion is skipped, so
 * applying a file again does not undo the deletion. Answers the rows in the order of the file.
 */
export async function applyTemplates(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: readonly FileTemplate[],
  kept: Kept[],
): Promise<Pick<StoredTemplate, 'id' | 'name' | 'language'>[]> {
  if (files.length === 0) return [];
  const first = await findFirstAccount(tx, workspace_id);
  if (!first) throw invalid({ detail: 'need a channel with an account', pointer: '/templates' });
  const account = { workspace_id, waba_id: first.waba_id };
  const stored = new Map((await lockTemplates(tx, [account])).map((row) => [keyOf(row), row]));
  const updated_at = clock.now();
  const deletions = await findDeletions(
    tx,
    workspace_id,
    files.map(({ name }) => name),
  );
  const free = files.filter((file) => stored.has(keyOf(file)) || !isNameBlocked(deletions.get(file.name), updated_at));
  for (const { name, language, status = 'approved' } of files.filter((file) => !free.includes(file))) {
    kept.push({ template: `${name} (${language})`, member: 'template', value: 'deleted', in_file: status });
  }
  const rows = free.map((file) => {
    const before = stored.get(keyOf(file));
    const { name, language, category, components, status = 'approved' } = file;
    if (before && !before.is_from_file) {
      const isSame = before.category === category && isDeepStrictEqual(before.components, components);
      const entry = `${name} (${language})`;
      if (!isSame) kept.push({ template: entry, member: 'components', value: 'made elsewhere', in_file: 'other' });
      else if (before.status !== status) {
        kept.push({ template: entry, member: 'status', value: before.status, in_file: status });
      }
      return before;
    }
    if (before?.platform_template_id) return before;
    const unreported = { rejection_reason: null, quality: null, coming_category: null, category_changes_at: null };
    const fresh = { platform_template_id: null, parameter_format: null, ...unreported, updated_at, is_from_file: true };
    const base = before ?? { ...account, id: newId(clock), ...fresh };
    const after: StoredTemplate = { ...base, name, language, category, components, status };
    return before && isDeepStrictEqual(after, before) ? before : { ...after, updated_at };
  });
  const changed = rows.filter((row) => stored.get(keyOf(row)) !== row);
  await insertTemplates(
    tx,
    changed.filter((row) => !stored.has(keyOf(row))),
  );
  await storeChanges(
    tx,
    changed.flatMap((after) => {
      const before = stored.get(keyOf(after));
      return before ? [{ before, after }] : [];
    }),
  );
  return rows;
}

function keyOf({ name, language }: { name: string; language: string }): string {
  return JSON.stringify([name, language]);
}
