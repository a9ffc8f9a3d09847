import { parseId, publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Instruction } from '../definition/definition.ts';
import { ConditionEvaluator, type ExplainedCondition } from '../run/evaluate-conditions.ts';
import { type ExpansionRoom, ExpansionTooLong, expandValue } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { readScope } from '../run/read-scope.ts';
import { composeCall } from '../steps/call-endpoint.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';

/** A step of the path that a run would take. */
export interface DryStep {
  /** A JSON pointer into the definition. */
  step: string;
  do: string;
  name?: string;
  outcome: string;
  reason?: string;
  /** The members of the step with the values of their variables. */
  values: Record<string, unknown>;
  /** Of a branch: the conditions of its cases, up to the one that holds. */
  cases?: ExplainedCondition[][];
  /** The message that the step would send. */
  message?: { kind: string; body: string | null };
  /** How long the run would wait. */
  waits_seconds?: number;
  /** What the customer answers; null for no answer in time. */
  answer?: string | null;
}

// Members with nested steps, and headers, which hold secrets.
const hidden = new Set(['do', 'name', 'cases', 'else', 'on_timeout', 'on_refusal', 'on_error', 'headers']);

/** A step before it is performed: the values and the conditions that it meets, as far as a dry run has room for them. */
export async function describeStep(
  locked: LockedRun,
  instruction: Instruction,
  room: ExpansionRoom,
): Promise<Pick<DryStep, 'step' | 'do' | 'name' | 'values' | 'cases'>> {
  const { step, pointer, cases } = instruction;
  const scope = await readScope(locked, instruction);
  const described = { step: pointer, do: step.do, ...(step.name !== undefined && { name: step.name }) };
  try {
    if (step.do === 'call') {
      const call = composeCall(step, scope, () => '');
      const values = 'url' in call ? { url: call.url, body: expandValue(step.body ?? {}, scope, room) } : {};
      return { ...described, values };
    }
    const members = Object.entries(step).filter(([member]) => !hidden.has(member));
    const values = Object.fromEntries(members.map(([member, value]) => [member, expandValue(value, scope, room)]));
    if (!cases) return { ...described, values };
    const evaluator = new ConditionEvaluator(scope);
    const explained = cases.map(({ when }) => evaluator.explain(when, room));
    const first = explained.findIndex((conditions) => conditions.every(({ holds }) => holds));
    return { ...described, values, cases: first < 0 ? explained : explained.slice(0, first + 1) };
  } catch (error) {
    // The step itself fails with this reason, unless the steps before it took the room.
    if (error instanceof ExpansionTooLong) return { ...described, values: {} };
    throw error;
  }
}

interface SentMessage {
  kind: string;
  body: string | null;
}

const selectSent = statement<SentMessage>(`
  select kind, body from messages
  where workspace_id = $1 and conversation_id = $2 and id = $3`);

/** The message that a step has sent; undefined for other steps. */
export async function readSent({ tx, run }: LockedRun, outcome: StepOutcome): Promise<SentMessage | undefined> {
  const id = outcome.type === 'asked' ? publicId('message', outcome.message_id) : sentBy(outcome);
  if (id === undefined) return undefined;
  return (await selectSent(tx, [run.workspace_id, run.conversation_id, parseId('message', id)]))[0];
}

function sentBy(outcome: StepOutcome): string | undefined {
  const id = outcome.type === 'done' ? outcome.result?.message_id : undefined;
  return id === undefined ? undefined : String(id);
}
