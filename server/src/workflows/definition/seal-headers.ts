import type { SecretBox } from '../../secrets/encrypt.ts';
import { changeLiterals } from '../run/expand.ts';

type Members = Record<string, unknown>;

const sealedPart = /sealed\(([A-Za-z0-9+/=]+)\)/g;
// Where a step holds steps of its own.
const nested = ['else', 'on_timeout', 'on_error'];

/**
 * The definition as it is kept: what a call says in its headers is sealed, because it is where tokens stand (hazard H102).
 * Variables stay readable, so that it is known what a step reads without opening it.
 */
export function sealHeaders(definition: Members, box: SecretBox, workspace_id: string): Members {
  const place = placeOf(workspace_id);
  const seal = (text: string) => text && `sealed(${box.seal(text, place).toString('base64')})`;
  return inHeaders(definition, (text) => changeLiterals(text, seal));
}

/** The definition as it was given. Throws where it was sealed with another key. */
export function openHeaders(definition: Members, box: SecretBox, workspace_id: string): Members {
  return inHeaders(definition, (text) => openHeader(text, box, workspace_id));
}

/** One header as it was given, its variables not yet expanded. */
export function openHeader(text: string, box: SecretBox, workspace_id: string): string {
  const place = placeOf(workspace_id);
  return text.replaceAll(sealedPart, (_, sealed: string) => box.open(Buffer.from(sealed, 'base64'), place));
}

function placeOf(workspace_id: string): string {
  return `workflow_versions.definition ${workspace_id}`;
}

function inHeaders(definition: Members, change: (text: string) => string): Members {
  return definition.steps === undefined ? definition : { ...definition, steps: inSteps(definition.steps, change) };
}

function inSteps(steps: unknown, change: (text: string) => string): unknown {
  if (!Array.isArray(steps)) return steps;
  return steps.map((given: unknown) => {
    const step: Members = { ...(given as Members) };
    for (const member of nested) if (Array.isArray(step[member])) step[member] = inSteps(step[member], change);
    if (step.do === 'branch') {
      step.cases = (step.cases as Members[]).map((one) => ({ ...one, steps: inSteps(one.steps, change) }));
    }
    if (step.do === 'call' && step.headers) {
      const headers = Object.entries(step.headers).map(([name, value]) => [name, change(value)]);
      step.headers = Object.fromEntries(headers);
    }
    return step;
  });
}
