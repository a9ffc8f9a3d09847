import type { ErrorDetail } from '@majlis/contract';
import { isVariableName, listVariables } from '../run/expand.ts';

/**
 * Faults of variables that can never have a value, such as misspelled ones. `roots` lists the valid first words; the name
 * of an earlier step must follow `steps.`.
 */
export function findVariableFaults(
  value: unknown,
  pointer: string,
  where: string,
  roots: readonly string[],
  step_names?: ReadonlySet<string>,
): ErrorDetail[] {
  if (typeof value === 'string') {
    return listVariables(value).flatMap((name) => {
      const detail = describeFault(name, roots, step_names);
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

function describeFault(name: string, roots: readonly string[], step_names: ReadonlySet<string> | undefined) {
  if (!isVariableName(name)) return `{{${name}}} is not the name of a variable`;
  const [root, second] = name.split('.');
  if (!roots.includes(root!)) return `{{${name}}} begins with none of ${roots.join(', ')}`;
  if (root === 'steps' && !step_names?.has(second ?? '')) return `{{${name}}} names no step that comes before it`;
  return undefined;
}
