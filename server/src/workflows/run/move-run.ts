import { continueRunJob } from '../../automation/jobs.ts';
import { updateConversation } from '../../conversations/queries.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { deleteWaiting } from '../../jobs/queries.ts';
import type { Instruction } from '../definition/definition.ts';
import type { Outcome } from '../steps/outcome.ts';
import { performStep } from '../steps/perform-step.ts';
import type { Scope } from './expand.ts';
import type { MovingRun } from './moving-run.ts';
import { type RunStatus, saveRun } from './run-queries.ts';

// Steps of one transaction at most: it holds the conversation meanwhile.
const mostAtOnce = 50;

/** Why a run may not go on, whatever it would do next; undefined where nothing stands against it. */
export function findEnd({ run, conversation, is_blocked }: MovingRun): string | undefined {
  if (is_blocked) return 'The contact was blocked.';
  const controls = conversation?.controller === 'bot' && conversation.workflow_run_id === run.id;
  return run.has_control && !controls ? 'A person took over the conversation.' : undefined;
}

/**
 * Performs steps until the run waits or ends. Their effects, where the run stands then and what wakes it again are one
 * commit, so each is performed once, whatever crashes.
 */
export async function moveRun(moving: MovingRun): Promise<void> {
  const { run, program } = moving;
  for (let count = 0; run.status === 'running'; count++) {
    if (run.position === null) return endRun(moving, 'completed', null);
    if (count === mostAtOnce) return stop(moving, moving.clock.now(), false);
    const instruction = program.instructions[run.position]!;
    const outcome = await performStep(moving, instruction);
    const isMoving = await settleStep(moving, instruction, outcome);
    if (!isMoving) return;
  }
}

/** Takes in what a step came to. False where the run waits or has ended: it is saved then. */
export async function settleStep(moving: MovingRun, instruction: Instruction, outcome: Outcome): Promise<boolean> {
  const { run, clock } = moving;
  switch (outcome.type) {
    case 'done':
      record(moving, instruction, outcome.outcome, null, outcome.result);
      run.position = outcome.to === undefined ? instruction.next : outcome.to;
      return true;
    case 'failed':
      record(moving, instruction, 'failed', outcome.reason);
      if (instruction.on_error === 'fail') await endRun(moving, 'failed', outcome.reason);
      else run.position = instruction.on_error;
      return instruction.on_error !== 'fail';
    case 'asked':
      record(moving, instruction, 'asked', null);
      run.asked_message_id = outcome.message_id;
      await stop(moving, outcome.due_at, true);
      return false;
    case 'waits':
      record(moving, instruction, 'waits', null);
      run.position = instruction.next;
      await stop(moving, outcome.due_at, true);
      return false;
    case 'calls':
      await stop(moving, clock.now(), false);
      return false;
    case 'ends':
      record(moving, instruction, outcome.outcome, null);
      await endRun(moving, 'completed', null);
      return false;
  }
}

/** Each record is a move: what was to wake the run before it is for nothing now. */
function record(
  { run, steps }: MovingRun,
  { step, pointer }: Instruction,
  outcome: string,
  reason: string | null,
  result: Scope = {},
): void {
  run.turn += 1;
  run.asked_message_id = null;
  run.due_at = null;
  run.call_job_id = null;
  const { name = null, do: kind } = step;
  steps.push({ turn: run.turn, step: pointer, name, kind, outcome, reason });
  if (name !== null) run.results[name] = { ...result, outcome, ...(reason !== null && { reason }) };
}

/** Saves the run, with the promise to go on at a time. */
async function stop(moving: MovingRun, at: Date, waits: boolean): Promise<void> {
  const { tx, run } = moving;
  run.due_at = waits ? at : null;
  await save(moving);
  await enqueueJobs(tx, [continueRunJob({ ...run, run_id: run.id }, at, waits)]);
}

/** Ends the run, and gives the conversation back to people where it controls it still. */
export async function endRun(moving: MovingRun, status: RunStatus, reason: string | null): Promise<void> {
  const { tx, run, conversation } = moving;
  if (conversation && run.has_control && conversation.workflow_run_id === run.id) {
    await updateConversation(tx, conversation, { controller: 'human', workflow_run_id: null });
  }
  Object.assign(run, { status, reason, has_control: false, asked_message_id: null, due_at: null });
  await save(moving);
}

async function save({ tx, clock, run, timer, steps }: MovingRun): Promise<void> {
  await saveRun(tx, run, steps, clock.now());
  if (timer) await deleteWaiting(tx, timer);
}

interface Answer {
  id: string;
  kind: string;
  body: string | null;
}

const selectMessage = statement<Answer>(`
  select id, kind, body from messages where workspace_id = $1 and conversation_id = $2 and id = $3`);
const selectAnswer = statement<Answer>(`
  select id, kind, body from messages
  where workspace_id = $1 and conversation_id = $2 and id > $3 and direction = 'inbound' order by id limit 1`);

/**
 * Takes in the answer to the question that the run waits for: the message that woke it, or where its time has come, the
 * first that was written since. False where it still waits.
 */
export async function settleQuestion(moving: MovingRun, message_id: string | null | undefined): Promise<boolean> {
  const { tx, clock, run, program } = moving;
  const values = [run.workspace_id, run.conversation_id, message_id ?? run.asked_message_id];
  const [answer] = message_id ? await selectMessage(tx, values) : await selectAnswer(tx, values);
  const instruction = program.instructions[run.position!]!;
  if (answer) {
    const { body, kind } = answer;
    record(moving, instruction, 'answered', null, {
      answer: body ?? '',
      kind,
      message_id: publicId('message', answer.id),
    });
    run.position = instruction.next;
    return true;
  }
  if (run.due_at && clock.now() < run.due_at) return false;
  record(moving, instruction, 'no answer in time', null, { answer: '' });
  run.position = instruction.on_timeout ?? null;
  return true;
}
