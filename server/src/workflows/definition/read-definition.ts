import type { ErrorDetail } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { DefinitionHead, type Program } from './definition.ts';
import { describeSchemaErrors } from './describe-schema-errors.ts';
import { readConditions } from './read-conditions.ts';
import { readDuration } from './read-duration.ts';
import { StepReader } from './step-reader.ts';

const head = Compile(DefinitionHead);

export interface ReadDefinition {
  /** Undefined if there are faults. */
  definition: Program | undefined;
  faults: ErrorDetail[];
}

/** Compiles a workflow of the workspace file into a program, or returns all faults, each with its step. */
export function readDefinition(given: unknown, pointer: string): ReadDefinition {
  if (!head.Check(given))
    return { definition: undefined, faults: describeSchemaErrors(head.Errors(given), pointer, '') };
  const { trigger, when, reply_from, after, control = 'bot' } = given;
  const faults: ErrorDetail[] = [];
  if (trigger === 'no_reply') {
    if (!reply_from) faults.push({ detail: 'is required by the trigger no_reply', pointer: `${pointer}/reply_from` });
    if (!after) faults.push({ detail: 'is required by the trigger no_reply', pointer: `${pointer}/after` });
  } else {
    const detail = 'means something for the trigger no_reply alone';
    if (reply_from) faults.push({ detail, pointer: `${pointer}/reply_from` });
    if (after) faults.push({ detail, pointer: `${pointer}/after` });
  }
  const after_seconds = after === undefined ? undefined : readDuration(after);
  if (after !== undefined && !after_seconds) {
    faults.push({ detail: 'must be at most 366 days', pointer: `${pointer}/after` });
  }
  const reader = new StepReader(pointer);
  const conditions = readConditions(when ?? [], `${pointer}/when`, 'the workflow', faults, ['trigger', 'contact']);
  const { instructions, start } = reader.read(given.steps ?? []);
  for (const fault of reader.faults) faults.push(fault);
  if (faults.length > 0) return { definition: undefined, faults };
  const wait = trigger === 'no_reply' ? { waits_for: reply_from!, after_seconds: after_seconds! } : {};
  return { definition: { trigger, ...wait, control, when: conditions, instructions, start }, faults };
}
