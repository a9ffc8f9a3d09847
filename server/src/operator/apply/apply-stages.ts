import { stageList } from '../../contacts/queries.ts';
import { closingCategoryList } from '../../conversations/closing-categories.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { type ListEntry, type orderedList, presentOf } from '../../workspaces/ordered-list.ts';
import { findSeeded } from './find-seeded.ts';
import type { Kept } from './kept.ts';
import { mergeOrder } from './merge-order.ts';
import type { WorkspaceFile } from './workspace-file.ts';

type Named = (name: string) => { stage: string } | { closing_category: string };

/** Saves stages by name, in their order in the file. Answers the ids by name. */
export function applyStages(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: NonNullable<WorkspaceFile['stages']>,
  kept: Kept[],
): Promise<Map<string, string>> {
  return applyList({ tx, clock, workspace_id, kept }, stageList, (stage) => ({ stage }), files);
}

/** Saves closing categories by name, in their order in the file. Answers the ids by name. */
export function applyClosingCategories(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: NonNullable<WorkspaceFile['closing_categories']>,
  kept: Kept[],
): Promise<Map<string, string>> {
  const named: Named = (closing_category) => ({ closing_category });
  return applyList({ tx, clock, workspace_id, kept }, closingCategoryList, named, files);
}

interface Applying {
  tx: Transaction;
  clock: Clock;
  workspace_id: string;
  kept: Kept[];
}

/** A null emoji leaves the stored one. What a person changed or removed stays, and so does an order in which a person has put them. */
async function applyList(
  { tx, clock, workspace_id, kept }: Applying,
  list: ReturnType<typeof orderedList>,
  named: Named,
  files: readonly { name: string; emoji?: string | undefined }[],
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const before = await list.listEntries(tx, workspace_id);
  const present = presentOf(before);
  const known = new Map(files.map((file) => [file.name, findSeeded(before, file.name)]));
  const isPersons = present.some(({ changed_at }) => changed_at !== null);
  for (const file of files) keepPersonsEntry(known.get(file.name), file, named, kept);

  const missing = files.filter(({ name }) => !known.get(name));
  const wanted = files.flatMap(({ name }) => {
    const entry = known.get(name);
    return entry?.removed_at ? [] : [entry?.name ?? name];
  });
  const names = present.map(({ name }) => name);
  const order = mergeOrder(names, isPersons ? inOrderOf(names, wanted) : wanted);
  if (isPersons) keepOrder(names, wanted, named, kept);
  const positions = new Map(order.map((name, index) => [name, index + 1]));
  const emojis = new Map(files.map(({ name, emoji = null }) => [known.get(name)?.name ?? name, emoji]));
  const changed = present.flatMap((entry): ListEntry[] => {
    const emoji = entry.changed_at ? entry.emoji : (emojis.get(entry.name) ?? entry.emoji);
    const position = positions.get(entry.name)!;
    return emoji === entry.emoji && position === entry.position ? [] : [{ ...entry, emoji, position }];
  });
  await list.updateEntries(tx, workspace_id, changed);
  const added = missing.map(({ name, emoji = null }) => ({
    id: newId(clock),
    name,
    emoji,
    position: positions.get(name)!,
    changed_at: null,
  }));
  await list.insertEntries(tx, workspace_id, added);
  const stored = await list.listEntries(tx, workspace_id);
  return new Map(files.map(({ name }) => [name, findSeeded(stored, name)!.id]));
}

function keepPersonsEntry(
  entry: ListEntry | undefined,
  { name, emoji }: { name: string; emoji?: string | undefined },
  named: Named,
  kept: Kept[],
): void {
  if (!entry?.changed_at) return;
  if (entry.removed_at) {
    const member = Object.keys(named(name))[0]!;
    kept.push({ ...named(name), member, value: 'removed', in_file: name });
    return;
  }
  if (entry.name !== name) kept.push({ ...named(name), member: 'name', value: entry.name, in_file: name });
  if (emoji !== undefined && emoji !== entry.emoji) {
    kept.push({ ...named(name), member: 'emoji', value: entry.emoji, in_file: emoji });
  }
}

/** The wanted names, those that exist in the order in which they stand. */
function inOrderOf(names: readonly string[], wanted: readonly string[]): string[] {
  const standing = names.filter((name) => wanted.includes(name));
  let next = 0;
  return wanted.map((name) => (names.includes(name) ? standing[next++]! : name));
}

function keepOrder(names: readonly string[], wanted: readonly string[], named: Named, kept: Kept[]): void {
  const standing = names.filter((name) => wanted.includes(name));
  const given = wanted.filter((name) => names.includes(name));
  if (standing.join('\n') === given.join('\n')) return;
  kept.push({ ...named(given[0]!), member: 'order', value: standing.join(', '), in_file: given.join(', ') });
}
