import { type ContinueRun, continueRun, readContinueRun } from '../../automation/jobs.ts';
import { separateTransaction, type Transaction } from '../../database/transaction.ts';
import { whenDatabaseIsBack } from '../../database/when-database-is-back.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, start } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import type { Resources } from '../../process/resources.ts';
import { openHeader } from '../definition/seal-headers.ts';
import { callEndpoint, composeCall, type EndpointCall } from '../steps/call-endpoint.ts';
import { type StepFailure, type StepOutcome, stepFailed } from '../steps/step-outcome.ts';
import {
  advanceRun,
  applyDecision,
  applyOutcome,
  applyReply,
  endRun,
  findEndReason,
  suspendRun,
} from './advance-run.ts';
import { readRunLimits } from './limit-runs.ts';
import { type LockedRun, lockRun } from './lock-run.ts';
import { readScope } from './read-scope.ts';
import { findRunOwners, parkRun, saveRun } from './run-queries.ts';

const finished: JobOutcome = { type: 'finished' };
// The timeout of a call (10 s) and the time to begin and to record it.
const lease_seconds = 30;
// A run whose next step fails this often ends, instead of retrying forever.
const maxFailures = 8;

/**
 * Advances a run after a wait or a reply of the customer. The job ends in the same commit. Only the request of a `call`
 * step happens outside of a transaction: its job is marked as started first. A started job that is claimed again counts
 * as failed, and the call is not repeated.
 */
export function continueRunHandler(resources: Resources): JobHandler {
  const { pool, clock, config, secretBox } = resources;
  const limits = readRunLimits(config);

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readContinueRun(job.payload);
    const interrupted = stepFailed('The call was interrupted, and is not made again.');
    if (job.started_at) return settleCall(job, ref, interrupted);
    const call = await separateTransaction(pool, ref.workspace_id, (tx) => advance(tx, job, ref));
    if (!call) return finished;
    if (!(await start(pool, [job], clock.now())).has(job.id)) return finished;
    const outcome = 'url' in call ? await callEndpoint(resources, call) : call;
    return whenDatabaseIsBack(() => settleCall(job, ref, outcome), lease_seconds * 1000);
  }

  /** Returns the request to make now, if the next step is a `call`, or why it cannot be made. */
  async function advance(tx: Transaction, job: Job, ref: ContinueRun): Promise<EndpointCall | StepFailure | undefined> {
    const found = await findRunOwners(tx, ref.workspace_id, ref.run_id);
    const isPaused = found?.workflow_status === 'paused';
    const isParked = isPaused && (await parkRun(tx, ref.workspace_id, ref.workflow_id, ref.run_id));
    const locked = found && !isParked ? await lockRun({ tx, clock, limits }, ref) : undefined;
    const end = locked && findEndReason(locked);
    if (locked && !end) {
      const call = await prepareCall(locked, job, ref);
      if (call) return call;
    }
    if ((await finish(tx, [job])) === 0 || !locked) return undefined;
    if (end) await endRun(locked, 'cancelled', end);
    else if (isCurrentTurn(locked, ref) && job.failures >= maxFailures)
      await endRun(locked, 'failed', 'The next step failed again and again.');
    else if (isCurrentTurn(locked, ref) && (await applyEvent(locked, ref))) await advanceRun(locked);
    return undefined;
  }

  async function settleCall(job: Job, ref: ContinueRun, outcome: StepOutcome): Promise<JobOutcome> {
    await separateTransaction(pool, ref.workspace_id, async (tx) => {
      const locked = await lockRun({ tx, clock, limits }, ref);
      if ((await finish(tx, [job])) === 0 || !locked) return;
      const { run, program } = locked;
      if (run.call_job_id !== job.id) return;
      const end = findEndReason(locked);
      const isRunning = await applyOutcome(locked, program.instructions[run.position!]!, outcome);
      if (!isRunning) return;
      if (end) await endRun(locked, 'cancelled', end);
      // The workflow was paused during the call. The next job parks the run.
      else if (locked.workflow_status === 'paused') await suspendRun(locked, clock.now(), false);
      else await advanceRun(locked);
    });
    return finished;
  }

  /** Undefined if the next step is no call, or another job makes the call. */
  async function prepareCall(
    locked: LockedRun,
    job: Job,
    ref: ContinueRun,
  ): Promise<EndpointCall | StepFailure | undefined> {
    const { tx, run, program } = locked;
    const instruction = run.position === null ? undefined : program.instructions[run.position];
    const isOurs = run.call_job_id === null || run.call_job_id === job.id;
    if (instruction?.step.do !== 'call' || !isOurs || !isCurrentTurn(locked, ref) || !isDue(locked)) return undefined;
    if (job.failures >= maxFailures) return undefined;
    run.call_job_id = job.id;
    await saveRun(tx, run, [], clock.now());
    const open = (header: string) => openHeader(header, secretBox, ref.workspace_id);
    return composeCall(instruction.step, await readScope(locked, instruction), open);
  }

  function isDue({ run }: LockedRun): boolean {
    return !run.due_at || clock.now() >= run.due_at;
  }

  async function applyEvent(locked: LockedRun, { message_id }: ContinueRun): Promise<boolean> {
    if (locked.run.proposal_id) return applyDecision(locked);
    if (locked.run.asked_message_id) return applyReply(locked, message_id);
    return isDue(locked) && locked.run.call_job_id === null;
  }

  const places = { concurrency: 64, group_concurrency: 16 };
  return sharePlacesOfHandler(pool, { kind: continueRun, ...places, lease_seconds, run });
}

/** Whether the job is for the current turn of the run. */
function isCurrentTurn({ run }: LockedRun, { turn }: ContinueRun): boolean {
  return run.turn === turn;
}
