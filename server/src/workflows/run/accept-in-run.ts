import { parseId } from '../../database/ids.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { performProposed } from '../steps/perform-step.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';
import { advanceRun, applyOutcome, suspendRun } from './advance-run.ts';
import type { LockedRun } from './lock-run.ts';

/**
 * Performs the step that a person has accepted, and goes on with the run. Answers the id of the message that it sent. Throws the
 * refusal of the step: the run waits on then.
 */
export async function acceptInRun(
  locked: LockedRun,
  content: object,
  by: { user_id: string } | undefined,
): Promise<string | null> {
  const { run, program, clock } = locked;
  const instruction = program.instructions[run.position!]!;
  const outcome = await performProposed(locked, instruction, content, by);
  if (outcome.type === 'failed') {
    throw outcome.refusal ?? new Refusal('unprocessable_content', { detail: outcome.reason });
  }
  if (await applyOutcome(locked, instruction, outcome)) {
    // The next job parks the run of a paused workflow.
    await (locked.workflow_status === 'paused' ? suspendRun(locked, clock.now(), false) : advanceRun(locked));
  }
  return sentBy(outcome);
}

function sentBy(outcome: StepOutcome): string | null {
  if (outcome.type === 'asked') return outcome.message_id;
  const id = outcome.type === 'done' ? outcome.result?.message_id : undefined;
  return typeof id === 'string' ? (parseId('message', id) ?? null) : null;
}
