import { type BranchCase, type Definition, findStep, type Step, stepPointerOf } from './definition.ts';

/** The list that a step is in, and its place there. */
export function placeOf(pointer: string): { list: string; index: number } {
  const end = pointer.lastIndexOf('/');
  return { list: pointer.slice(0, end), index: Number(pointer.slice(end + 1)) };
}

/** Puts a step into a list, whose pointer may lead to one that is not there yet. */
export function insertStep(definition: Definition, list: string, index: number, step: Step): Definition {
  return changeList(definition, list, (steps) => steps.toSpliced(index, 0, step));
}

export function replaceStep(definition: Definition, pointer: string, step: Step): Definition {
  const { list, index } = placeOf(pointer);
  return changeList(definition, list, (steps) => steps.toSpliced(index, 1, step));
}

export function removeStep(definition: Definition, pointer: string): Definition {
  const { list, index } = placeOf(pointer);
  return changeList(definition, list, (steps) => steps.toSpliced(index, 1));
}

interface Moved {
  definition: Definition;
  /** Where the step is now. */
  pointer: string;
}

/** Moves a step by one place. From the edge of a list inside a step it moves before or behind that step. Undefined at the very edge. */
export function shiftStep(definition: Definition, pointer: string, by: -1 | 1): Moved | undefined {
  const { list, index } = placeOf(pointer);
  const step = findStep(definition, pointer);
  if (!step) return undefined;
  const length = readList(definition, list).length;
  const target = index + by;
  if (target >= 0 && target < length) {
    const moved = insertStep(removeStep(definition, pointer), list, target, step);
    return { definition: moved, pointer: `${list}/${target}` };
  }
  const around = stepPointerOf(list);
  if (around === '') return undefined;
  const outer = placeOf(around);
  const place = by < 0 ? outer.index : outer.index + 1;
  const moved = insertStep(removeStep(definition, pointer), outer.list, place, step);
  return { definition: moved, pointer: `${outer.list}/${place}` };
}

/** Moves a step to a place of another list. Undefined where the place is inside the step itself. */
export function moveStep(definition: Definition, pointer: string, list: string, index: number): Moved | undefined {
  const step = findStep(definition, pointer);
  if (!step || list.startsWith(`${pointer}/`)) return undefined;
  const from = placeOf(pointer);
  const removed = removeStep(definition, pointer);
  // The removal moves what stands behind the step in its list.
  const behind = list === from.list && index > from.index ? index - 1 : index;
  const within = list.startsWith(`${from.list}/`) ? shiftInside(list, from) : list;
  const moved = insertStep(removed, within, behind, step);
  return { definition: moved, pointer: `${within}/${behind}` };
}

/** The pointer of a list inside a step that stands behind the removed one. */
function shiftInside(list: string, from: { list: string; index: number }): string {
  const rest = list.slice(from.list.length + 1);
  const [first, ...others] = rest.split('/');
  const index = Number(first);
  return [from.list, index > from.index ? index - 1 : index, ...others].join('/');
}

function readList(definition: Definition, list: string): Step[] {
  let value: unknown = definition;
  for (const part of list.split('/').slice(1)) value = (value as Record<string, unknown> | undefined)?.[part];
  return Array.isArray(value) ? value : [];
}

function changeList(definition: Definition, list: string, change: (steps: Step[]) => Step[]): Definition {
  return changeAt(definition, list.split('/').slice(1), (value) =>
    change(Array.isArray(value) ? value : []),
  ) as Definition;
}

function changeAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(part), changeAt(value[Number(part)], rest, change));
  const members = (value ?? {}) as Record<string, unknown>;
  return { ...members, [part]: changeAt(members[part], rest, change) };
}

export interface Difference {
  added: Step[];
  removed: Step[];
  /** Whether the trigger, its conditions or the control of the conversation differ. */
  head: boolean;
}

/** What a definition has that another has not, step by step; a changed step is removed and added. */
export function compareDefinitions(before: Definition, after: Definition): Difference {
  const { steps: first = [], ...head } = before;
  const { steps: second = [], ...other } = after;
  const [old, fresh] = [flatten(first), flatten(second)];
  return {
    added: without(fresh, old),
    removed: without(old, fresh),
    head: JSON.stringify(sorted(head)) !== JSON.stringify(sorted(other)),
  };
}

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

// The mark of a secret names its version, which differs where nothing else does.
const secret = /\[secret \d+\.\d+\]/g;

interface Flat {
  key: string;
  step: Step;
}

function flatten(steps: readonly Step[]): Flat[] {
  return steps.flatMap((step) => {
    const { cases, else: otherwise, on_refusal, on_timeout, on_error, ...own } = step;
    const branches = Array.isArray(cases) ? (cases as BranchCase[]) : [];
    const modes = [on_refusal, on_timeout, on_error].map(modeOf);
    const key = JSON.stringify([sorted(own), branches.map(({ when }) => when), ...modes]);
    const inside = [...branches.map((one) => one.steps), otherwise, on_refusal, on_timeout, on_error];
    return [
      { key: key.replaceAll(secret, '[secret]'), step },
      ...inside.flatMap((list) => (Array.isArray(list) ? flatten(list) : [])),
    ];
  });
}

const modeOf = (value: unknown) => (Array.isArray(value) ? 'steps' : value);

function without(all: readonly Flat[], others: readonly Flat[]): Step[] {
  const left = others.map(({ key }) => key);
  return all.flatMap(({ key, step }) => {
    const at = left.indexOf(key);
    if (at < 0) return [step];
    left.splice(at, 1);
    return [];
  });
}
