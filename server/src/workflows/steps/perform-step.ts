import type { Instruction } from '../definition/definition.ts';
import type { MovingRun } from '../run/moving-run.ts';
import { readScope } from '../run/read-scope.ts';
import { fieldStep, stageStep, tagStep } from './contact-steps.ts';
import { assignStep, closeStep, handOverStep, noteStep } from './conversation-steps.ts';
import { branchStep, startWorkflowStep, waitStep } from './flow-steps.ts';
import type { Outcome } from './outcome.ts';
import { askStep, sendMessageStep, sendTemplateStep } from './send-step.ts';

/** Performs one step in the transaction that holds its run. */
export async function performStep(moving: MovingRun, instruction: Instruction): Promise<Outcome> {
  const { step } = instruction;
  if (step.do === 'call') return { type: 'calls' };
  if (step.do === 'end') return { type: 'ends', outcome: 'ended' };
  const scope = await readScope(moving, instruction);
  switch (step.do) {
    case 'send_message':
      return sendMessageStep(moving, step, scope);
    case 'send_template':
      return sendTemplateStep(moving, step, scope);
    case 'ask':
      return askStep(moving, step, scope);
    case 'wait':
      return waitStep(moving, step, scope);
    case 'branch':
      return branchStep(instruction, scope);
    case 'set_tag':
    case 'clear_tag':
      return tagStep(moving, step, scope);
    case 'set_stage':
      return stageStep(moving, step, scope);
    case 'set_field':
      return fieldStep(moving, step, scope);
    case 'assign':
      return assignStep(moving, step, scope);
    case 'hand_over':
      return handOverStep(moving, step, scope);
    case 'close':
      return closeStep(moving, step, scope);
    case 'add_note':
      return noteStep(moving, step, scope);
    case 'start_workflow':
      return startWorkflowStep(moving, step, scope);
  }
}
