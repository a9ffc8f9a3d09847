import { type Instruction, isProposable, type WorkflowStep } from '../definition/definition.ts';
import { asWritten, ExpansionTooLong, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { readScope } from '../run/read-scope.ts';
import { fieldStep, stageStep, tagStep } from './contact-steps.ts';
import { assignStep, closeStep, handOverStep, noteStep } from './conversation-steps.ts';
import { branchStep, startWorkflowStep, waitStep } from './flow-steps.ts';
import { proposeStep } from './propose-step.ts';
import { isSending, sendOfStep, sendStep } from './send-step.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

/** Performs one step in the transaction that locks its run, or proposes it to people. */
export function performStep(locked: LockedRun, instruction: Instruction): Promise<StepOutcome> {
  return withinExpansion(async () => {
    const { step } = instruction;
    if (step.do === 'call') return { type: 'calls' };
    if (step.do === 'end') return { type: 'ends', outcome: 'ended' };
    const scope = await readScope(locked, instruction);
    return isProposable(step) ? proposeStep(locked, step, scope) : perform(locked, instruction, step, scope);
  });
}

/** Performs what a step has proposed, as it was written then or by the person who has written it anew. */
export function performProposed(
  locked: LockedRun,
  instruction: Instruction,
  content: object,
  by?: { user_id: string },
): Promise<StepOutcome> {
  const { step } = instruction;
  if (isSending(step)) return sendOfStep(locked, step, content, by);
  return perform(locked, instruction, { ...step, ...content } as PerformedStep, asWritten);
}

async function withinExpansion(work: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await work();
  } catch (error) {
    // A step expands its texts before it writes.
    if (error instanceof ExpansionTooLong) return stepFailed(error.message);
    throw error;
  }
}

type PerformedStep = Exclude<WorkflowStep, { do: 'call' | 'end' }>;

async function perform(
  locked: LockedRun,
  instruction: Instruction,
  step: PerformedStep,
  scope: VariableScope,
): Promise<StepOutcome> {
  switch (step.do) {
    case 'send_message':
    case 'send_template':
    case 'ask':
      return sendStep(locked, step, scope);
    case 'wait':
      return waitStep(locked, step, scope);
    case 'branch':
      return branchStep(instruction, scope);
    case 'set_tag':
    case 'clear_tag':
      return tagStep(locked, step, scope);
    case 'set_stage':
      return stageStep(locked, step, scope);
    case 'set_field':
      return fieldStep(locked, step, scope);
    case 'assign':
      return assignStep(locked, step, scope);
    case 'hand_over':
      return handOverStep(locked, step, scope);
    case 'close':
      return closeStep(locked, step, scope);
    case 'add_note':
      return noteStep(locked, step, scope);
    case 'start_workflow':
      return startWorkflowStep(locked, step, scope);
  }
}
