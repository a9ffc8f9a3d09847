import { listStages, saveStages } from '../../contacts/queries.ts';
import { listClosingCategories, saveClosingCategories } from '../../conversations/closing-categories.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { mergeOrder } from './merge-order.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** Saves stages by name, in their order in the file. Answers the ids by name. */
export async function applyStages(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: NonNullable<WorkspaceFile['stages']>,
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const emojis = new Map(files.map(({ name, emoji = null }) => [name, emoji]));
  const stored = await listStages(tx, workspace_id);
  const names = mergeOrder(namesOf(stored), namesOf(files));
  const rows = names.map((name, index) => ({
    id: newId(clock),
    name,
    emoji: emojis.get(name) ?? null,
    position: index + 1,
  }));
  await saveStages(tx, workspace_id, rows);
  return idsByName(await listStages(tx, workspace_id));
}

/** Saves closing categories by name, in their order in the file. Answers the ids by name. */
export async function applyClosingCategories(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: NonNullable<WorkspaceFile['closing_categories']>,
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const stored = await listClosingCategories(tx, workspace_id);
  const names = mergeOrder(namesOf(stored), namesOf(files));
  const rows = names.map((name, index) => ({ id: newId(clock), name, position: index + 1 }));
  await saveClosingCategories(tx, workspace_id, rows);
  return idsByName(await listClosingCategories(tx, workspace_id));
}

function namesOf(rows: readonly { name: string }[]): string[] {
  return rows.map((row) => row.name);
}

function idsByName(rows: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [name, id]));
}
