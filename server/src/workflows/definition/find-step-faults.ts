import type { Step } from './definition.ts';
import { readDuration } from './read-duration.ts';

export interface StepFault {
  member: string;
  detail: string;
}

// The host is the operator's word: no value of a customer may become part of it.
const fixedAddress = /^https?:\/\/[^\s/?#{}]+([/?#]|$)/;

/** What is wrong with a step by itself, beyond what its schema can say. */
export function findStepFaults(step: Step): StepFault[] {
  switch (step.do) {
    case 'send_message':
      return oneOf(step, 'text', 'message');
    case 'ask':
      return [...oneOf(step, 'text', 'message'), ...tooLong('within', step.within)];
    case 'wait':
      return [...oneOf(step, 'for', 'until'), ...tooLong('for', step.for)];
    case 'assign':
      if (step.round_robin && (step.user !== undefined || step.team !== undefined)) {
        return [{ member: 'round_robin', detail: 'round_robin stands alone' }];
      }
      return step.round_robin || step.user !== undefined || step.team !== undefined
        ? []
        : [{ member: '', detail: 'needs user, team or round_robin' }];
    case 'hand_over':
      return handOver(step);
    case 'call':
      return fixedAddress.test(step.url)
        ? []
        : [{ member: 'url', detail: 'url must begin with https:// and a host without variables' }];
    default:
      return [];
  }
}

function oneOf<Member extends string>(step: { [Name in Member]?: unknown }, a: Member, b: Member): StepFault[] {
  const given = [a, b].filter((member) => step[member] !== undefined);
  return given.length === 1 ? [] : [{ member: '', detail: `needs either ${a} or ${b}` }];
}

function tooLong(member: string, duration: string | undefined): StepFault[] {
  const isFine = duration === undefined || readDuration(duration) !== undefined;
  return isFine ? [] : [{ member, detail: `${member} must be at most 366 days` }];
}

function handOver({ to, agent }: Extract<Step, { do: 'hand_over' }>): StepFault[] {
  if (to === 'ai_agent' && agent === undefined) return [{ member: 'agent', detail: 'agent is required: its name' }];
  if (to === 'human' && agent !== undefined) return [{ member: 'agent', detail: 'agent goes with to: ai_agent alone' }];
  return [];
}
