import type { WorkflowStatus } from '@majlis/contract';
import { continueRunJob } from '../../automation/jobs.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { NewJob } from '../../jobs/job.ts';
import type { Clock } from '../../process/clock.ts';
import type { Program } from '../definition/definition.ts';
import type { RunLimits } from './limit-runs.ts';
import { loadProgram } from './load-program.ts';
import { findRunOwners, type RunState, type StepRecord, selectRunForUpdate } from './run-queries.ts';

/** A run that this transaction has locked, with its contact and conversation. */
export interface LockedRun {
  tx: Transaction;
  clock: Clock;
  limits: RunLimits;
  run: RunState;
  program: Program;
  workflow_status: WorkflowStatus;
  is_blocked: boolean;
  conversation: LockedConversation | undefined;
  /** The job at the end of its wait. It is deleted when the run advances. */
  timer: NewJob | undefined;
  /** The records of the steps in this transaction. */
  steps: StepRecord[];
}

const selectContactForUpdate = statement<{ blocked: boolean }>(`
  select blocked from contacts where workspace_id = $1 and id = $2 for no key update`);

/** Undefined if the contact no longer exists. */
export async function lockRunContact(tx: Transaction, workspace_id: string, contact_id: string) {
  return (await selectContactForUpdate(tx, [workspace_id, contact_id]))[0];
}

/**
 * Locks a run in the lock order of the service: the contact, the conversation, then the run. Undefined if the run has
 * ended or was erased. Throws Outdated after a concurrent erasure or merge.
 */
export async function lockRun(
  { tx, clock, limits }: Pick<LockedRun, 'tx' | 'clock' | 'limits'>,
  { workspace_id, run_id }: { workspace_id: string; run_id: string },
): Promise<LockedRun | undefined> {
  const found = await findRunOwners(tx, workspace_id, run_id);
  if (!found) return undefined;
  const [contact, conversation, run] = await Promise.all([
    lockRunContact(tx, workspace_id, found.contact_id),
    found.conversation_id ? lockConversation(tx, workspace_id, found.conversation_id) : undefined,
    selectRunForUpdate(tx, workspace_id, run_id),
  ]);
  const isSame = run?.contact_id === found.contact_id && run.conversation_id === found.conversation_id;
  if (!contact || !run || !isSame) throw new Outdated('the contact of a run was erased or merged into another');
  if (run.status !== 'running') return undefined;
  const program = await loadProgram(tx, run);
  const timer = run.due_at ? continueRunJob({ ...run, run_id: run.id }, run.due_at, true) : undefined;
  const { workflow_status } = found;
  const state = { run, program, workflow_status, is_blocked: contact.blocked, conversation };
  return { tx, clock, limits, ...state, timer, steps: [] };
}
