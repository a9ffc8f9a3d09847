import { findPlatformFaults } from '../../messages/accept/find-platform-faults.ts';
import { listVariables } from '../run/expand.ts';
import { isProposable, type StepOf, type WorkflowStep } from './definition.ts';
import { findMessageFault } from './find-message-fault.ts';
import { readDuration } from './read-duration.ts';

export interface StepFault {
  member: string;
  detail: string;
}

// The operator fixes the host: values of customers must not become part of it.
const fixedHost = /^https?:\/\/[^\s/?#{}]+([/?#]|$)/;

/** The faults of one step that its schema cannot express. */
export function findStepFaults(step: WorkflowStep): StepFault[] {
  return [...findOwnFaults(step), ...checkApproval(step)];
}

function checkApproval(step: WorkflowStep): StepFault[] {
  if (isProposable(step)) return checkDuration('approval_within', step.approval_within);
  return 'on_refusal' in step ? [{ member: 'on_refusal', detail: 'on_refusal goes with approval_within alone' }] : [];
}

function findOwnFaults(step: WorkflowStep): StepFault[] {
  switch (step.do) {
    case 'send_message':
      return checkContent(step);
    case 'ask':
      return [...checkContent(step), ...checkDuration('within', step.within)];
    case 'wait':
      return [...requireOneOf(step, 'for', 'until'), ...checkDuration('for', step.for)];
    case 'assign':
      if (step.round_robin && (step.user !== undefined || step.team !== undefined)) {
        return [{ member: 'round_robin', detail: 'round_robin stands alone' }];
      }
      return step.round_robin || step.user !== undefined || step.team !== undefined
        ? []
        : [{ member: '', detail: 'needs user, team or round_robin' }];
    case 'hand_over':
      return checkHandOver(step);
    case 'call':
      return fixedHost.test(step.url)
        ? []
        : [{ member: 'url', detail: 'url must begin with https:// and a host without variables' }];
    default:
      return [];
  }
}

/** What the platform refuses whatever the values of variables, so that it is told when the workflow is saved. */
function checkContent(step: Pick<StepOf<'ask'>, 'text' | 'message'>): StepFault[] {
  const { text, message } = step;
  const faults = requireOneOf(step, 'text', 'message');
  if (faults.length > 0) return faults;
  if (message) {
    const fault = findMessageFault(message);
    return fault ? [{ member: `message${fault.pointer}`, detail: `message: ${fault.detail}` }] : [];
  }
  if (listVariables(text!).length > 0) return [];
  return [...findPlatformFaults({ kind: 'text', body: text! })].map(({ detail }) => ({
    member: 'text',
    detail: `text ${detail}`,
  }));
}

function requireOneOf<Member extends string>(step: { [Name in Member]?: unknown }, a: Member, b: Member): StepFault[] {
  const given = [a, b].filter((member) => step[member] !== undefined);
  return given.length === 1 ? [] : [{ member: '', detail: `needs either ${a} or ${b}` }];
}

function checkDuration(member: string, duration: string | undefined): StepFault[] {
  const isFine = duration === undefined || readDuration(duration) !== undefined;
  return isFine ? [] : [{ member, detail: `${member} must be at most 366 days` }];
}

function checkHandOver({ to, agent }: Extract<WorkflowStep, { do: 'hand_over' }>): StepFault[] {
  if (to === 'ai_agent' && agent === undefined) return [{ member: 'agent', detail: 'agent is required: its name' }];
  if (to === 'human' && agent !== undefined) return [{ member: 'agent', detail: 'agent goes with to: ai_agent alone' }];
  return [];
}
