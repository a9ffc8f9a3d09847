import type { ErrorDetail } from '@majlis/contract';
import { isVariableName, variablesIn } from '../run/expand.ts';

/**
 * Variables in the texts of a value that nothing could ever give: misspelled ones. `roots` are the first words that are
 * known; `steps.` must be followed by one of the names of earlier steps.
 */
export function findVariableFaults(
  value: unknown,
  pointer: string,
  where: string,
  roots: readonly string[],
  step_names?: ReadonlySet<string>,
): ErrorDetail[] {
  if (typeof value === 'string') {
    return variablesIn(value).flatMap((name) => {
      const detail = faultOf(name, roots, step_names);
      return detail ? [{ detail: `${where}: ${detail}`, pointer }] : [];
    });
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findVariableFaults(member, `${pointer}/${escapePointer(name)}`, where, roots, step_names),
  );
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultOf(name: string, roots: readonly string[], step_names: ReadonlySet<string> | undefined) {
  if (!isVariableName(name)) return `{{${name}}} is not the name of a variable`;
  const [root, second] = name.split('.');
  if (!roots.includes(root!)) return `{{${name}}} begins with none of ${roots.join(', ')}`;
  if (root === 'steps' && !step_names?.has(second ?? '')) return `{{${name}}} names no step that comes before it`;
  return undefined;
}
