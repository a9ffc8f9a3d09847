import type { Instruction } from '../definition/definition.ts';
import { ExpansionTooLong } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { readScope } from '../run/read-scope.ts';
import { fieldStep, stageStep, tagStep } from './contact-steps.ts';
import { assignStep, closeStep, handOverStep, noteStep } from './conversation-steps.ts';
import { branchStep, startWorkflowStep, waitStep } from './flow-steps.ts';
import { askStep, sendMessageStep, sendTemplateStep } from './send-step.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

/** Performs one step in the transaction that locks its run. */
export async function performStep(locked: LockedRun, instruction: Instruction): Promise<StepOutcome> {
  try {
    return await perform(locked, instruction);
  } catch (error) {
    // A step expands its texts before it writes.
    if (error instanceof ExpansionTooLong) return stepFailed(error.message);
    throw error;
  }
}

async function perform(locked: LockedRun, instruction: Instruction): Promise<StepOutcome> {
  const { step } = instruction;
  if (step.do === 'call') return { type: 'calls' };
  if (step.do === 'end') return { type: 'ends', outcome: 'ended' };
  const scope = await readScope(locked, instruction);
  switch (step.do) {
    case 'send_message':
      return sendMessageStep(locked, step, scope);
    case 'send_template':
      return sendTemplateStep(locked, step, scope);
    case 'ask':
      return askStep(locked, step, scope);
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
