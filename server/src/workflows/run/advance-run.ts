import { continueRunJob } from '../../automation/jobs.ts';
import { endProposal, lockProposal } from '../../automation/proposals.ts';
import { updateConversation } from '../../conversations/queries.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { deleteWaiting } from '../../jobs/queries.ts';
import type { Instruction } from '../definition/definition.ts';
import { readReply, replyColumn } from '../definition/read-reply.ts';
import { performStep } from '../steps/perform-step.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';
import type { VariableScope } from './expand.ts';
import type { LockedRun } from './lock-run.ts';
import { actorOfRun } from './new-run.ts';
import { type RunStatus, saveRun } from './run-queries.ts';

// Bounds the time for which one transaction locks the conversation.
const maxStepsPerTransaction = 50;

/** The reason to cancel a run before its next step; undefined without one. */
export function findEndReason({ run, conversation, is_blocked, workflow_status }: LockedRun): string | undefined {
  if (workflow_status === 'draft') return 'The workflow was made a draft.';
  if (is_blocked) return 'The contact was blocked.';
  const controls = conversation?.controller === 'bot' && conversation.workflow_run_id === run.id;
  return run.has_control && !controls ? 'A person took over the conversation.' : undefined;
}

/**
 * Performs steps until the run waits or ends. Their effects, the new state of the run and its next job are one commit, so
 * a crash never repeats a step.
 */
export async function advanceRun(locked: LockedRun): Promise<void> {
  const { run, program } = locked;
  for (let count = 0; run.status === 'running'; count++) {
    if (run.position === null) return endRun(locked, 'completed', null);
    if (count === maxStepsPerTransaction) return suspendRun(locked, locked.clock.now(), false);
    const instruction = program.instructions[run.position]!;
    const outcome = await performStep(locked, instruction);
    const isRunning = await applyOutcome(locked, instruction, outcome);
    if (!isRunning) return;
  }
}

/** Applies the outcome of a step. False if the run now waits or has ended; it is saved then. */
export async function applyOutcome(
  locked: LockedRun,
  instruction: Instruction,
  outcome: StepOutcome,
): Promise<boolean> {
  const { run, clock } = locked;
  switch (outcome.type) {
    case 'done':
      recordStep(locked, instruction, outcome.outcome, null, outcome.result);
      run.position = outcome.to === undefined ? instruction.next : outcome.to;
      return true;
    case 'failed':
      recordStep(locked, instruction, 'failed', outcome.reason);
      if (instruction.on_error === 'fail') await endRun(locked, 'failed', outcome.reason);
      else run.position = instruction.on_error;
      return instruction.on_error !== 'fail';
    case 'asked':
      recordStep(locked, instruction, 'asked', null);
      run.asked_message_id = outcome.message_id;
      await suspendRun(locked, outcome.due_at, true);
      return false;
    case 'proposed':
      recordStep(locked, instruction, 'proposed', null);
      run.proposal_id = outcome.proposal_id;
      await suspendRun(locked, outcome.due_at, true);
      return false;
    case 'waits':
      recordStep(locked, instruction, 'waits', null);
      run.position = instruction.next;
      await suspendRun(locked, outcome.due_at, true);
      return false;
    case 'calls':
      await suspendRun(locked, clock.now(), false);
      return false;
    case 'ends':
      recordStep(locked, instruction, outcome.outcome, null);
      await endRun(locked, 'completed', null);
      return false;
  }
}

/** Records a step and begins a new turn: jobs of earlier turns have no effect. */
function recordStep(
  { run, steps }: LockedRun,
  { step, pointer }: Instruction,
  outcome: string,
  reason: string | null,
  result: VariableScope = {},
): void {
  run.turn += 1;
  run.asked_message_id = null;
  run.proposal_id = null;
  run.due_at = null;
  run.call_job_id = null;
  const { name = null, do: kind } = step;
  steps.push({ turn: run.turn, step: pointer, name, kind, outcome, reason });
  if (name !== null) run.results[name] = { ...result, outcome, ...(reason !== null && { reason }) };
}

/** Saves the run with a job that continues it at the given time. */
export async function suspendRun(locked: LockedRun, at: Date, waits: boolean): Promise<void> {
  const { tx, run } = locked;
  run.due_at = waits ? at : null;
  await save(locked);
  await enqueueJobs(tx, [continueRunJob({ ...run, run_id: run.id }, at, waits)]);
}

/** Ends the run, and returns control of its conversation to people. */
export async function endRun(locked: LockedRun, status: RunStatus, reason: string | null): Promise<void> {
  const { tx, clock, run, conversation } = locked;
  if (conversation && run.has_control && conversation.workflow_run_id === run.id) {
    const change = { controller: 'human', workflow_run_id: null, bot_handed_over_at: clock.now() } as const;
    await updateConversation(tx, clock, conversation, change, { actor: actorOfRun(run) });
  }
  if (run.proposal_id) {
    const ended = { workspace_id: run.workspace_id, id: run.proposal_id };
    await endProposal(tx, clock, { ...ended, state: 'expired', end_reason: 'run_ended' });
  }
  const cleared = { asked_message_id: null, proposal_id: null, due_at: null };
  Object.assign(run, { status, reason, has_control: false, ...cleared });
  await save(locked);
}

async function save({ tx, clock, run, timer, steps }: LockedRun): Promise<void> {
  await saveRun(tx, run, steps, clock.now());
  if (timer) await deleteWaiting(tx, timer);
}

interface CustomerReply {
  id: string;
  kind: string;
  body: string | null;
  raw: unknown;
}

const selectMessage = statement<CustomerReply>(`
  select m.id, m.kind, m.body, ${replyColumn} as raw from messages m where m.workspace_id = $1 and m.id = $2`);
// A merge moves a run to another conversation, and what was asked and answered before stays where it is.
const selectFirstReply = statement<CustomerReply>(`
  select m.id, m.kind, m.body, ${replyColumn} as raw from messages m
  where m.workspace_id = $1 and m.id > $3 and m.direction = 'inbound' and m.conversation_id in (
    select $2::uuid union select q.conversation_id from messages q where q.workspace_id = $1 and q.id = $3)
  order by m.id limit 1`);

/**
 * Applies the reply to the pending question: the message of the job, or the first message since the question when its
 * time is over. False if the run still waits. A message that is stored holds the lock of its contact, as the step that asks does:
 * so each message comes before the question, or finds it.
 */
export async function applyReply(locked: LockedRun, message_id: string | null | undefined): Promise<boolean> {
  const { tx, clock, run, program } = locked;
  const { workspace_id, conversation_id, asked_message_id } = run;
  const [answer] = message_id
    ? await selectMessage(tx, [workspace_id, message_id])
    : await selectFirstReply(tx, [workspace_id, conversation_id, asked_message_id]);
  const instruction = program.instructions[run.position!]!;
  if (answer) {
    const { body, kind, raw } = answer;
    recordStep(locked, instruction, 'answered', null, {
      answer: body ?? '',
      kind,
      message_id: publicId('message', answer.id),
      ...readReply(raw),
    });
    run.position = instruction.next;
    return true;
  }
  if (run.due_at && clock.now() < run.due_at) return false;
  recordStep(locked, instruction, 'no answer in time', null, { answer: '' });
  run.position = instruction.on_timeout ?? null;
  return true;
}

/**
 * Takes the other way of a step whose proposal was refused or has ended, or whose time is over. False if the run still waits: a
 * person who accepts performs the step at once.
 */
export async function applyDecision(locked: LockedRun): Promise<boolean> {
  const { tx, clock, run, program } = locked;
  const key = { workspace_id: run.workspace_id, id: run.proposal_id! };
  const proposal = await lockProposal(tx, key);
  const isWaiting = proposal?.state === 'waiting';
  if (isWaiting && run.due_at && clock.now() < run.due_at) return false;
  if (isWaiting) await endProposal(tx, clock, { ...key, state: 'expired', end_reason: 'time_over' });
  const instruction = program.instructions[run.position!]!;
  const outcome = isWaiting ? 'no decision in time' : proposal?.state === 'refused' ? 'refused' : 'proposal ended';
  const reason = proposal?.decision_reason ?? null;
  recordStep(locked, instruction, outcome, reason);
  run.position = instruction.on_refusal ?? null;
  return true;
}
