import { type ContinueRun, continueRun, readContinueRun } from '../../automation/jobs.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { whenDatabaseIsBack } from '../../database/when-database-is-back.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, start } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { openHeader } from '../definition/seal-headers.ts';
import { callEndpoint, composeCall, type EndpointCall } from '../steps/call-endpoint.ts';
import { failed, type Outcome } from '../steps/outcome.ts';
import { endRun, findEnd, moveRun, settleQuestion, settleStep } from './move-run.ts';
import { holdRun, type MovingRun } from './moving-run.ts';
import { readScope } from './read-scope.ts';
import { findRun, parkRun, saveRun } from './run-queries.ts';

const finished: JobOutcome = { type: 'finished' };
// The time of a call, and what it takes to begin and to record it.
const lease_seconds = 30;
// A run that cannot be moved for so long does not come back for ever.
const mostFailures = 8;

/**
 * Moves a run on: because its time has come or because the customer answered. The job ends in the commit of the move. Only a
 * call to an address is begun outside of it: its job passes the point of no return first, and found again behind that it
 * counts as failed, and the call is not made again.
 */
export function continueRunHandler(resources: Resources): JobHandler {
  const { pool, clock, secretBox } = resources;

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readContinueRun(job.payload);
    const interrupted = failed('The call was interrupted, and is not made again.');
    if (job.started_at) return settleCall(job, ref, interrupted);
    const call = await transaction(pool, (tx) => advance(tx, job, ref));
    if (!call) return finished;
    if (!(await start(pool, [job], clock.now())).has(job.id)) return finished;
    const outcome = await callEndpoint(resources, call);
    return whenDatabaseIsBack(() => settleCall(job, ref, outcome), lease_seconds * 1000);
  }

  /** Answers the call that is to be made now, if the run has come to one. */
  async function advance(tx: Transaction, job: Job, ref: ContinueRun): Promise<EndpointCall | undefined> {
    const found = await findRun(tx, ref.workspace_id, ref.run_id);
    const isPaused = found?.workflow_status === 'paused';
    const isParked = isPaused && (await parkRun(tx, ref.workspace_id, ref.workflow_id, ref.run_id));
    const moving = found && !isParked ? await holdRun(tx, clock, ref) : undefined;
    const end = moving && (found!.workflow_status === 'draft' ? madeDraft : findEnd(moving));
    if (moving && !end) {
      const call = await prepareCall(moving, job, ref);
      if (call) return call;
    }
    if ((await finish(tx, [job])) === 0 || !moving) return undefined;
    if (end) await endRun(moving, 'cancelled', end);
    else if (isFor(moving, ref) && job.failures >= mostFailures)
      await endRun(moving, 'failed', 'The next step failed again and again.');
    else if (isFor(moving, ref) && (await hasNews(moving, ref))) await moveRun(moving);
    return undefined;
  }

  async function settleCall(job: Job, ref: ContinueRun, outcome: Outcome): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      const moving = await holdRun(tx, clock, ref);
      if ((await finish(tx, [job])) === 0 || !moving) return;
      const { run, program } = moving;
      if (run.call_job_id !== job.id) return;
      const end = findEnd(moving);
      const isMoving = await settleStep(moving, program.instructions[run.position!]!, outcome);
      if (isMoving && end) await endRun(moving, 'cancelled', end);
      else if (isMoving) await moveRun(moving);
    });
    return finished;
  }

  /** Undefined where the run has not come to a call, or another job makes it. */
  async function prepareCall(moving: MovingRun, job: Job, ref: ContinueRun): Promise<EndpointCall | undefined> {
    const { tx, run, program } = moving;
    const instruction = run.position === null ? undefined : program.instructions[run.position];
    const isOurs = run.call_job_id === null || run.call_job_id === job.id;
    if (instruction?.step.do !== 'call' || !isOurs || !isFor(moving, ref) || !isDue(moving)) return undefined;
    if (job.failures >= mostFailures) return undefined;
    run.call_job_id = job.id;
    await saveRun(tx, run, [], clock.now());
    const open = (header: string) => openHeader(header, secretBox, ref.workspace_id);
    return composeCall(instruction.step, await readScope(moving, instruction), open);
  }

  function isDue({ run }: MovingRun): boolean {
    return !run.due_at || clock.now() >= run.due_at;
  }

  async function hasNews(moving: MovingRun, { message_id }: ContinueRun): Promise<boolean> {
    if (moving.run.asked_message_id) return settleQuestion(moving, message_id);
    return isDue(moving) && moving.run.call_job_id === null;
  }

  return { kind: continueRun, concurrency: 32, group_concurrency: 16, lease_seconds, run };
}

const madeDraft = 'The workflow was made a draft.';

/** Whether the job is for the move that comes next. */
function isFor({ run }: MovingRun, { turn }: ContinueRun): boolean {
  return run.turn === turn;
}
