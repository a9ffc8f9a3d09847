import { continueRunJob } from '../../automation/jobs.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { NewJob } from '../../jobs/job.ts';
import type { Clock } from '../../process/clock.ts';
import type { Program } from '../definition/definition.ts';
import { loadProgram } from './load-program.ts';
import { findRun, lockRun, type Run, type StepRecord } from './run-queries.ts';

/** A run that this transaction holds, with its contact and conversation: nobody changes them before the end. */
export interface MovingRun {
  tx: Transaction;
  clock: Clock;
  run: Run;
  program: Program;
  is_blocked: boolean;
  conversation: LockedConversation | undefined;
  /** What was to wake it when a time has come, and is for nothing once it has moved. */
  timer: NewJob | undefined;
  /** What its steps came to in this transaction. */
  steps: StepRecord[];
}

const holdContact = statement<{ blocked: boolean }>(`
  select blocked from contacts where workspace_id = $1 and id = $2 for no key update`);

/** Undefined where there is no such contact any more. */
export async function lockRunsContact(tx: Transaction, workspace_id: string, contact_id: string) {
  return (await holdContact(tx, [workspace_id, contact_id]))[0];
}

/**
 * Takes hold of a run in the order in which the whole service locks rows: the contact, the conversation, then the run.
 * Undefined where it has ended or was erased.
 */
export async function holdRun(
  tx: Transaction,
  clock: Clock,
  { workspace_id, run_id }: { workspace_id: string; run_id: string },
): Promise<MovingRun | undefined> {
  const found = await findRun(tx, workspace_id, run_id);
  if (!found) return undefined;
  const [contact, conversation, run] = await Promise.all([
    lockRunsContact(tx, workspace_id, found.contact_id),
    found.conversation_id ? lockConversation(tx, workspace_id, found.conversation_id) : undefined,
    lockRun(tx, workspace_id, run_id),
  ]);
  const isSame = run?.contact_id === found.contact_id && run.conversation_id === found.conversation_id;
  if (!contact || !run || !isSame) throw new Outdated('the contact of a run was erased or merged into another');
  if (run.status !== 'running') return undefined;
  const program = await loadProgram(tx, run);
  const timer = run.due_at ? continueRunJob({ ...run, run_id: run.id }, run.due_at, true) : undefined;
  return { tx, clock, run, program, is_blocked: contact.blocked, conversation, timer, steps: [] };
}
