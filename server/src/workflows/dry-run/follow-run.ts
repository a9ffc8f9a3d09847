import { lockProposal } from '../../automation/proposals.ts';
import type { Instruction } from '../definition/definition.ts';
import { applyOutcome, applyReply, endRun, findEndReason } from '../run/advance-run.ts';
import type { ExpansionRoom } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { performProposed, performStep } from '../steps/perform-step.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';
import { type DryStep, describeStep, readSent } from './describe-step.ts';
import { passTime, receivePretended } from './pretend.ts';

/** A dry run holds the lock of its contact, so it ends after so many steps. */
const maxSteps = 100;

export interface Presumptions {
  /** What the customer answers to the questions, in their order; null for no answer in time. */
  answers: readonly (string | null)[];
  /** What the calls come to, since none is made. */
  calls: 'answered' | 'failed';
}

export type FollowEnd = 'ended' | 'needs_answer' | 'too_many_steps';

/** Performs steps until the run ends, a question has no answer yet, or there are too many. */
export async function followRun(
  locked: LockedRun,
  { answers, calls }: Presumptions,
  room: ExpansionRoom,
): Promise<{ path: DryStep[]; end: FollowEnd }> {
  const { run, program } = locked;
  const path: DryStep[] = [];
  const given = [...answers];
  while (run.status === 'running') {
    if (run.position === null) {
      await endRun(locked, 'completed', null);
      break;
    }
    if (path.length === maxSteps) return { path, end: 'too_many_steps' };
    const instruction = program.instructions[run.position]!;
    const described = await describeStep(locked, instruction, room);
    const performed = await (run.proposal_id ? acceptPresumed : performStep)(locked, instruction);
    const outcome = performed.type === 'calls' ? pretendCall(calls) : performed;
    await applyOutcome(locked, instruction, outcome);
    const { outcome: result, reason } = locked.steps.at(-1)!;
    const message = await readSent(locked, outcome);
    const entry: DryStep = { ...described, outcome: result };
    if (reason !== null) entry.reason = reason;
    if (message) entry.message = message;
    path.push(entry);
    if (outcome.type !== 'asked' && outcome.type !== 'waits' && outcome.type !== 'proposed') continue;
    // They were saved with the wait.
    locked.steps = [];
    if (outcome.type === 'proposed') continue;
    entry.waits_seconds = Math.max(0, Math.round((outcome.due_at.getTime() - locked.clock.nowMs()) / 1000));
    if (outcome.type === 'asked') {
      const answer = given.shift();
      if (answer === undefined) return { path, end: 'needs_answer' };
      await answerQuestion(locked, entry, answer);
    } else {
      await passTime(locked, entry.waits_seconds);
      run.due_at = null;
    }
    const reason_to_end = findEndReason(locked);
    if (reason_to_end) await endRun(locked, 'cancelled', reason_to_end);
  }
  return { path, end: 'ended' };
}

/** A dry run presumes that a person says yes to whatever the run proposes. */
async function acceptPresumed(locked: LockedRun, instruction: Instruction): Promise<StepOutcome> {
  const { tx, run } = locked;
  const proposal = await lockProposal(tx, { workspace_id: run.workspace_id, id: run.proposal_id! });
  return performProposed(locked, instruction, proposal!.content as object);
}

async function answerQuestion(locked: LockedRun, entry: DryStep, answer: string | null): Promise<void> {
  const { run, clock } = locked;
  entry.answer = answer;
  if (answer === null) {
    await passTime(locked, entry.waits_seconds!);
    // The time of the question is over.
    run.due_at = clock.now();
    await applyReply(locked, undefined);
  } else {
    await applyReply(locked, await receivePretended(locked, answer));
  }
  entry.outcome = locked.steps.at(-1)!.outcome;
}

function pretendCall(calls: Presumptions['calls']): StepOutcome {
  if (calls === 'failed') return { type: 'failed', reason: 'The call came to nothing.' };
  return { type: 'done', outcome: 'answered', result: { status: 200, body: {} } };
}
