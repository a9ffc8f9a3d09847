import type { WorkflowStep } from './definition.ts';

/** How a fault names its step. */
export function describePlace(step: WorkflowStep): string {
  return `step ${step.name === undefined ? '' : `"${step.name}" `}(${step.do})`;
}
