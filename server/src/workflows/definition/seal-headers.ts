import type { SecretBox } from '../../secrets/encrypt.ts';
import { resealOpenable } from '../../secrets/reseal-openable.ts';
import { changeLiterals } from '../run/expand.ts';

type Members = Record<string, unknown>;

type ChangeHeader = (text: string, url: string) => string;

export const sealedPart = /sealed\(([A-Za-z0-9+/=]+)\)/g;
// Members of a step that hold nested steps.
const nestedStepMembers = ['else', 'on_timeout', 'on_error'];

/**
 * The stored form of a definition: the headers of calls are sealed, because they hold tokens (hazard H102). Their variables
 * stay readable, so that the reader finds them without the key.
 */
export function sealHeaders(definition: Members, box: SecretBox, workspace_id: string): Members {
  const associated_data = associatedDataOf(workspace_id);
  const seal = (text: string) => text && `sealed(${box.seal(text, associated_data).toString('base64')})`;
  return mapHeaders(definition, (text) => changeLiterals(text, seal));
}

/** The definition with open headers. Throws if another key sealed it. */
export function openHeaders(definition: Members, box: SecretBox, workspace_id: string): Members {
  return mapHeaders(definition, (text) => openHeader(text, box, workspace_id));
}

/** One open header, its variables not expanded. */
export function openHeader(text: string, box: SecretBox, workspace_id: string): string {
  const associated_data = associatedDataOf(workspace_id);
  return text.replaceAll(sealedPart, (_, sealed: string) => box.open(Buffer.from(sealed, 'base64'), associated_data));
}

/** The definition with its headers sealed with the present key. What no key opens stays as it is. */
export function resealHeaders(definition: Members, box: SecretBox, workspace_id: string): Members {
  const associated_data = associatedDataOf(workspace_id);
  const again = (sealed: string) => resealOpenable(box, Buffer.from(sealed, 'base64'), associated_data);
  return mapHeaders(definition, (text) =>
    text.replaceAll(sealedPart, (_, sealed: string) => `sealed(${again(sealed).toString('base64')})`),
  );
}

/** All sealed parts of the headers. */
export function sealedInHeaders(definition: Members): Buffer[] {
  const found: Buffer[] = [];
  mapHeaders(definition, (text) => {
    for (const [, sealed] of text.matchAll(sealedPart)) found.push(Buffer.from(sealed!, 'base64'));
    return text;
  });
  return found;
}

function associatedDataOf(workspace_id: string): string {
  return `workflow_versions.definition ${workspace_id}`;
}

/** Changes the headers of all calls. `url` is that of the call. */
export function mapHeaders(definition: Members, change: ChangeHeader): Members {
  return definition.steps === undefined
    ? definition
    : { ...definition, steps: mapStepHeaders(definition.steps, change) };
}

function mapStepHeaders(steps: unknown, change: ChangeHeader): unknown {
  if (!Array.isArray(steps)) return steps;
  return steps.map((given: unknown) => {
    const step: Members = { ...(given as Members) };
    for (const member of nestedStepMembers)
      if (Array.isArray(step[member])) step[member] = mapStepHeaders(step[member], change);
    if (step.do === 'branch') {
      step.cases = (step.cases as Members[]).map((one) => ({ ...one, steps: mapStepHeaders(one.steps, change) }));
    }
    if (step.do === 'call' && step.headers) {
      const headers = Object.entries(step.headers).map(([name, value]) => [name, change(value, String(step.url))]);
      step.headers = Object.fromEntries(headers);
    }
    return step;
  });
}
