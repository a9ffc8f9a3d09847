import type { ErrorDetail } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import {
  type Instruction,
  type InstructionIndex,
  isProposable,
  type StepOf,
  stepSchemas,
  type WorkflowStep,
} from './definition.ts';
import { describeSchemaErrors } from './describe-schema-errors.ts';
import { findStepFaults } from './find-step-faults.ts';
import { escapePointer, findVariableFaults } from './find-variable-faults.ts';
import { readConditions } from './read-conditions.ts';

const compiled = new Map(Object.entries(stepSchemas).map(([kind, schema]) => [kind, Compile(schema)]));
const roots = ['trigger', 'contact', 'conversation', 'steps'];
const maxSteps = 500;
const maxDepth = 12;
// Members with steps or conditions, which the reader checks on their own.
const nestedMembers = ['cases', 'else', 'on_timeout', 'on_refusal', 'on_error'];

/** Compiles nested lists of steps into one list of instructions that refer to each other by index. */
export class StepReader {
  readonly faults: ErrorDetail[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #names = new Set<string>();
  readonly #root: string;

  /** `root`: the JSON pointer to the workflow, for faults. */
  constructor(root: string) {
    this.#root = root;
  }

  read(steps: unknown): { instructions: Instruction[]; start: InstructionIndex } {
    const start = this.#readList(steps, '/steps', 'the workflow', null, 0);
    if (this.#instructions.length > maxSteps) this.#addFault('/steps', `the workflow has more than ${maxSteps} steps`);
    return { instructions: this.#instructions, start };
  }

  /** Returns the index of the first step. `after` follows the last step. */
  #readList(given: unknown, pointer: string, where: string, after: InstructionIndex, depth: number): InstructionIndex {
    if (!Array.isArray(given) || depth > maxDepth) {
      this.#addFault(
        pointer,
        `${where}: ${depth > maxDepth ? 'has steps too deep in each other' : 'needs a list of steps'}`,
      );
      return after;
    }
    // First pass: add the steps in order, so that a step may name results of earlier ones. Second pass: link them.
    const steps = given.map((one, index) => this.#addStep(one, `${pointer}/${index}`, index));
    const indexes = steps.map((step) => step?.index).filter((index) => index !== undefined);
    for (const step of steps) {
      if (!step) continue;
      const next = indexes[indexes.indexOf(step.index) + 1] ?? after;
      this.#instructions[step.index]!.next = next;
      this.#linkStep(step, next, depth);
    }
    return indexes[0] ?? after;
  }

  /** Checks one step without its nested steps, and appends it to the instructions. */
  #addStep(given: unknown, pointer: string, position: number): ReadStep | undefined {
    const kind = (given as { do?: unknown } | null)?.do;
    const name = (given as { name?: unknown } | null)?.name;
    const where = `step ${typeof name === 'string' ? `"${name}"` : position + 1}${typeof kind === 'string' ? ` (${kind})` : ''}`;
    const schema = typeof kind === 'string' ? compiled.get(kind) : undefined;
    if (!schema) {
      this.#addFault(`${pointer}/do`, `${where}: do must be one of ${[...compiled.keys()].join(', ')}`);
      return undefined;
    }
    if (!schema.Check(given)) {
      const found = describeSchemaErrors(schema.Errors(given), `${this.#root}${pointer}`, where);
      for (const fault of found) this.faults.push(fault);
      return undefined;
    }
    const step = given as WorkflowStep;
    this.#checkStep(step, pointer, where);
    const json = JSON.stringify(step);
    const reads_contact = /\{\{\s*contact\b/.test(json);
    const reads_conversation = /\{\{\s*conversation\b/.test(json);
    const reads = { reads_contact, reads_conversation };
    const index = this.#instructions.push({ step, pointer, next: null, on_error: 'fail', ...reads }) - 1;
    return { step, index, pointer, where };
  }

  #checkStep(step: WorkflowStep, pointer: string, where: string): void {
    const own = Object.entries(step).filter(([member]) => !nestedMembers.includes(member));
    for (const [member, value] of own) {
      const at = `${this.#root}${pointer}/${escapePointer(member)}`;
      for (const fault of findVariableFaults(value, at, where, roots, this.#names)) this.faults.push(fault);
    }
    for (const { member, detail } of findStepFaults(step)) {
      this.#addFault(`${pointer}${member && `/${member}`}`, `${where}: ${detail}`);
    }
    if (step.name === undefined) return;
    if (this.#names.has(step.name)) this.#addFault(`${pointer}/name`, `${where}: another step has this name`);
    this.#names.add(step.name);
  }

  /** Reads the nested lists of a step. `next` follows each of them. */
  #linkStep({ step, index, pointer, where }: ReadStep, next: InstructionIndex, depth: number): void {
    const instruction = this.#instructions[index]!;
    const list = (given: unknown, member: string) =>
      this.#readList(given, `${pointer}/${member}`, where, next, depth + 1);
    const { on_error = 'fail' } = step;
    if (on_error === 'continue') instruction.on_error = next;
    else if (on_error !== 'fail') instruction.on_error = list(on_error, 'on_error');
    if (step.do === 'branch') this.#linkBranch(instruction, step, pointer, where, list, next);
    const other = (given: unknown, member: string) =>
      given === 'continue' ? next : given === 'end' ? null : list(given, member);
    if (isProposable(step)) instruction.on_refusal = other(step.on_refusal ?? 'end', 'on_refusal');
    if (step.do === 'ask') instruction.on_timeout = other(step.on_timeout ?? 'end', 'on_timeout');
  }

  #linkBranch(
    instruction: Instruction,
    step: StepOf<'branch'>,
    pointer: string,
    where: string,
    list: (given: unknown, member: string) => InstructionIndex,
    next: InstructionIndex,
  ): void {
    instruction.cases = step.cases.map((one, index) => {
      const { when, steps, ...others } = (one ?? {}) as Record<string, unknown>;
      const at = `${this.#root}${pointer}/cases/${index}`;
      for (const other of Object.keys(others))
        this.#addFault(`${pointer}/cases/${index}/${other}`, `${where}: a case has when and steps`);
      const conditions = readConditions(when, `${at}/when`, where, this.faults, roots, this.#names);
      return { when: conditions, to: list(steps ?? [], `cases/${index}/steps`) };
    });
    instruction.otherwise = step.else === undefined ? next : list(step.else, 'else');
  }

  #addFault(pointer: string, detail: string): void {
    this.faults.push({ detail, pointer: `${this.#root}${pointer}` });
  }
}

interface ReadStep {
  step: WorkflowStep;
  index: number;
  pointer: string;
  where: string;
}
