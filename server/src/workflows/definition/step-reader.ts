import type { ErrorDetail } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { type Instruction, type Place, type Step, type StepOf, stepSchemas } from './definition.ts';
import { faultsOf } from './faults-of.ts';
import { findStepFaults } from './find-step-faults.ts';
import { escapePointer, findVariableFaults } from './find-variable-faults.ts';
import { readConditions } from './read-conditions.ts';

const compiled = new Map(Object.entries(stepSchemas).map(([kind, schema]) => [kind, Compile(schema)]));
const roots = ['trigger', 'contact', 'conversation', 'steps'];
const most = 500;
const deepest = 12;
// Their texts are steps or conditions, which are read on their own.
const nested = ['cases', 'else', 'on_timeout', 'on_error'];

/** Reads lists of steps, those inside steps included, into one list of instructions that name each other by place. */
export class StepReader {
  readonly faults: ErrorDetail[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #names = new Set<string>();
  readonly #root: string;

  /** `root`: the pointer to the workflow, for what is said of faults. */
  constructor(root: string) {
    this.#root = root;
  }

  read(steps: unknown): { instructions: Instruction[]; start: Place } {
    const start = this.#list(steps, '/steps', 'the workflow', null, 0);
    if (this.#instructions.length > most) this.#fault('/steps', `the workflow has more than ${most} steps`);
    return { instructions: this.#instructions, start };
  }

  /** Answers the place of the first; behind the last comes `after`. */
  #list(given: unknown, pointer: string, where: string, after: Place, depth: number): Place {
    if (!Array.isArray(given) || depth > deepest) {
      this.#fault(
        pointer,
        `${where}: ${depth > deepest ? 'has steps too deep in each other' : 'needs a list of steps'}`,
      );
      return after;
    }
    // In order, so that a step may use what those before it brought; then each is told what follows it.
    const entries = given.map((one, index) => this.#open(one, `${pointer}/${index}`, index));
    const places = entries.map((entry) => entry?.place).filter((place) => place !== undefined);
    for (const entry of entries) {
      if (!entry) continue;
      const at = places.indexOf(entry.place);
      const next = places[at + 1] ?? after;
      this.#instructions[entry.place]!.next = next;
      this.#close(entry, next, depth);
    }
    return places[0] ?? after;
  }

  /** Reads what a step says by itself, and gives it its place. */
  #open(given: unknown, pointer: string, index: number): Entry | undefined {
    const kind = (given as { do?: unknown } | null)?.do;
    const name = (given as { name?: unknown } | null)?.name;
    const where = `step ${typeof name === 'string' ? `"${name}"` : index + 1}${typeof kind === 'string' ? ` (${kind})` : ''}`;
    const schema = typeof kind === 'string' ? compiled.get(kind) : undefined;
    if (!schema) {
      this.#fault(`${pointer}/do`, `${where}: do must be one of ${[...compiled.keys()].join(', ')}`);
      return undefined;
    }
    if (!schema.Check(given)) {
      this.faults.push(...faultsOf(schema.Errors(given), `${this.#root}${pointer}`, where));
      return undefined;
    }
    const step = given as Step;
    this.#check(step, pointer, where);
    const words = JSON.stringify(step);
    const reads_contact = /\{\{\s*contact\b/.test(words);
    const reads_conversation = /\{\{\s*conversation\b/.test(words);
    const reads = { reads_contact, reads_conversation };
    const place = this.#instructions.push({ step, pointer, next: null, on_error: 'fail', ...reads }) - 1;
    return { step, place, pointer, where };
  }

  #check(step: Step, pointer: string, where: string): void {
    const own = Object.entries(step).filter(([member]) => !nested.includes(member));
    for (const [member, value] of own) {
      const place = `${this.#root}${pointer}/${escapePointer(member)}`;
      this.faults.push(...findVariableFaults(value, place, where, roots, this.#names));
    }
    for (const { member, detail } of findStepFaults(step)) {
      this.#fault(`${pointer}${member && `/${member}`}`, `${where}: ${detail}`);
    }
    if (step.name === undefined) return;
    if (this.#names.has(step.name)) this.#fault(`${pointer}/name`, `${where}: another step has this name`);
    this.#names.add(step.name);
  }

  /** Reads the lists inside a step, which lead on to what follows it. */
  #close({ step, place, pointer, where }: Entry, next: Place, depth: number): void {
    const instruction = this.#instructions[place]!;
    const list = (given: unknown, member: string) => this.#list(given, `${pointer}/${member}`, where, next, depth + 1);
    const { on_error = 'fail' } = step;
    if (on_error === 'continue') instruction.on_error = next;
    else if (on_error !== 'fail') instruction.on_error = list(on_error, 'on_error');
    if (step.do === 'branch') this.#branch(instruction, step, pointer, where, list, next);
    if (step.do !== 'ask') return;
    const { on_timeout = 'end' } = step;
    if (on_timeout === 'continue') instruction.on_timeout = next;
    else instruction.on_timeout = on_timeout === 'end' ? null : list(on_timeout, 'on_timeout');
  }

  #branch(
    instruction: Instruction,
    step: StepOf<'branch'>,
    pointer: string,
    where: string,
    list: (given: unknown, member: string) => Place,
    next: Place,
  ): void {
    instruction.cases = step.cases.map((one, index) => {
      const { when, steps, ...others } = (one ?? {}) as Record<string, unknown>;
      const place = `${this.#root}${pointer}/cases/${index}`;
      for (const other of Object.keys(others))
        this.#fault(`${pointer}/cases/${index}/${other}`, `${where}: a case has when and steps`);
      const conditions = readConditions(when, `${place}/when`, where, this.faults, roots, this.#names);
      return { when: conditions, to: list(steps ?? [], `cases/${index}/steps`) };
    });
    instruction.otherwise = step.else === undefined ? next : list(step.else, 'else');
  }

  #fault(pointer: string, detail: string): void {
    this.faults.push({ detail, pointer: `${this.#root}${pointer}` });
  }
}

interface Entry {
  step: Step;
  place: number;
  pointer: string;
  where: string;
}
