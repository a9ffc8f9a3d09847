import type { ErrorDetail } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { Comparison, type Condition, operators } from './definition.ts';
import { describeSchemaErrors } from './describe-schema-errors.ts';
import { findVariableFaults } from './find-variable-faults.ts';

const comparison = Compile(Comparison);
const maxDepth = 10;

/** Reads a list of conditions and adds its faults to `faults`. `where` names the step of the conditions. */
export function readConditions(
  given: unknown,
  pointer: string,
  where: string,
  faults: ErrorDetail[],
  roots: readonly string[],
  step_names?: ReadonlySet<string>,
): Condition[] {
  for (const fault of findVariableFaults(given, pointer, where, roots, step_names)) faults.push(fault);
  return readList(given, pointer, where, faults, 0);
}

function readList(given: unknown, pointer: string, where: string, faults: ErrorDetail[], depth: number): Condition[] {
  if (!Array.isArray(given) || depth > maxDepth) {
    const detail = depth > maxDepth ? 'has conditions too deep in each other' : 'needs a list of conditions';
    faults.push({ detail: `${where}: ${detail}`, pointer });
    return [];
  }
  return given.flatMap((one, index) => readOne(one, `${pointer}/${index}`, where, faults, depth));
}

function readOne(given: unknown, pointer: string, where: string, faults: ErrorDetail[], depth: number): Condition[] {
  const members = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const [name, value] = members.length === 1 ? members[0]! : ['', undefined];
  if (name === 'any' || name === 'all') {
    const list = readList(value, `${pointer}/${name}`, where, faults, depth + 1);
    return [name === 'any' ? { any: list } : { all: list }];
  }
  if (name === 'not') return readOne(value, `${pointer}/not`, where, faults, depth + 1).map((not) => ({ not }));
  if (!comparison.Check(given)) {
    for (const fault of describeSchemaErrors(comparison.Errors(given), pointer, where)) faults.push(fault);
    return [];
  }
  if (operators.every((operator) => given[operator] === undefined)) {
    faults.push({ detail: `${where}: a condition needs one of ${operators.join(', ')}`, pointer });
  }
  return [given];
}
