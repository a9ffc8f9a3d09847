/** The definition of a workflow, as the service stores it. The service checks it; the console shows and changes it. */
export interface Definition {
  trigger: string;
  when?: Condition[];
  reply_from?: string;
  after?: string;
  control?: string;
  steps?: Step[];
}

export interface Step {
  do: string;
  name?: string;
  [member: string]: unknown;
}

export type Condition = Record<string, unknown>;

export interface BranchCase {
  when: Condition[];
  steps?: Step[];
}

/** A list of steps inside a step. */
export interface NestedList {
  /** The member, as a JSON pointer below the step. */
  member: string;
  steps: Step[];
  kind: 'case' | 'else' | 'on_timeout' | 'on_refusal' | 'on_error';
  /** Of a case. */
  when?: Condition[];
}

export const triggers = [
  'message_received',
  'conversation_created',
  'contact_tagged',
  'stage_changed',
  'no_reply',
  'api_call',
] as const;
export type Trigger = (typeof triggers)[number];

export const stepKinds = [
  'send_message',
  'send_template',
  'ask',
  'wait',
  'branch',
  'set_tag',
  'clear_tag',
  'set_stage',
  'set_field',
  'assign',
  'hand_over',
  'close',
  'add_note',
  'call',
  'start_workflow',
  'end',
] as const;
export type StepKind = (typeof stepKinds)[number];

/** The steps that can wait for a person's yes. */
const approvableKinds: ReadonlySet<string> = new Set<StepKind>([
  'send_message',
  'send_template',
  'ask',
  'close',
  'assign',
  'set_tag',
  'clear_tag',
  'set_stage',
]);

export function isApprovable({ do: kind }: Step): boolean {
  return approvableKinds.has(kind);
}

export function isStepKind(text: string): text is StepKind {
  return (stepKinds as readonly string[]).includes(text);
}

const isList = (value: unknown): value is Step[] => Array.isArray(value);

/** The lists of steps inside a step, in the order in which they are drawn. */
export function nestedLists(step: Step): NestedList[] {
  const lists: NestedList[] = [];
  if (step.do === 'branch') {
    const cases = Array.isArray(step.cases) ? (step.cases as BranchCase[]) : [];
    for (const [index, { when, steps }] of cases.entries()) {
      lists.push({ member: `cases/${index}/steps`, kind: 'case', when: when ?? [], steps: steps ?? [] });
    }
    if (isList(step.else)) lists.push({ member: 'else', kind: 'else', steps: step.else });
  }
  for (const kind of ['on_refusal', 'on_timeout', 'on_error'] as const) {
    const steps = step[kind];
    if (isList(steps)) lists.push({ member: kind, kind, steps });
  }
  return lists;
}

/** All steps with their pointers, each before the steps inside it. */
export function listSteps(steps: readonly Step[], pointer = '/steps'): { pointer: string; step: Step }[] {
  return steps.flatMap((step, index) => {
    const at = `${pointer}/${index}`;
    const inside = nestedLists(step).flatMap((list) => listSteps(list.steps, `${at}/${list.member}`));
    return [{ pointer: at, step }, ...inside];
  });
}

/** The step at a pointer, as the service names it for runs and faults. */
export function findStep(definition: Definition, pointer: string): Step | undefined {
  return listSteps(definition.steps ?? []).find((one) => one.pointer === pointer)?.step;
}

/** The pointer to the step that a pointer leads into; the empty text for the workflow itself. */
export function stepPointerOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  let found = '';
  for (let at = 0; at < parts.length; ) {
    const isCase = parts[at] === 'cases' && parts[at + 2] === 'steps';
    const list = isCase ? 3 : 1;
    const isSteps = isCase || ['steps', 'else', 'on_refusal', 'on_timeout', 'on_error'].includes(parts[at]!);
    if (!isSteps || !/^\d+$/.test(parts[at + list] ?? '')) break;
    at += list + 1;
    found = `/${parts.slice(0, at).join('/')}`;
  }
  return found;
}
