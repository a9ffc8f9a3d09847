import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Pool } from '../../database/pool.ts';
import { separateTransaction, type Transaction } from '../../database/transaction.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { Program } from '../definition/definition.ts';
import { storeWorkflow } from '../queries.ts';
import { ConditionEvaluator, type ExplainedCondition } from '../run/evaluate-conditions.ts';
import { ExpansionTooLong, newExpansionRoom, orTooLong } from '../run/expand.ts';
import type { RunLimits } from '../run/limit-runs.ts';
import { type LockedRun, lockRunContact } from '../run/lock-run.ts';
import { newRun, setStart } from '../run/new-run.ts';
import { readContactScope } from '../run/read-scope.ts';
import { hasRunningRun, insertRun } from '../run/run-queries.ts';
import { findLatestConversation } from '../steps/ensure-conversation.ts';
import type { DryStep } from './describe-step.ts';
import { followRun, type Presumptions } from './follow-run.ts';
import { type PretendedTrigger, pretendTrigger } from './pretend-trigger.ts';

export interface DryRunOrder extends Presumptions {
  workspace_id: string;
  /** Undefined for a workflow that does not exist yet. */
  workflow_id: string | undefined;
  program: Program;
  contact_id: string;
  trigger: PretendedTrigger;
}

export type Hindrance = 'blocked' | 'already_running' | 'bot_in_control';

export interface DryRunResult {
  state: 'not_started' | 'completed' | 'failed' | 'cancelled' | 'needs_answer' | 'too_many_steps';
  reason: string | null;
  /** The conditions of the start. */
  conditions: ExplainedCondition[];
  /** What would keep a real run from its start at this moment. */
  hindrances: Hindrance[];
  path: DryStep[];
}

/** Thrown to end the transaction, so that nothing stays of it. */
class DryRunEnd extends Error {
  readonly result: DryRunResult;

  constructor(result: DryRunResult) {
    super('the dry run has ended');
    this.result = result;
  }
}

interface Context {
  pool: Pool;
  clock: Clock;
  limits: RunLimits;
}

/**
 * Performs a run with the code of real runs, in a transaction that is always rolled back. So conditions, rules of sending and
 * the order of steps are those of a real run, and nothing is sent or stored. Calls are not made, and waits take no time.
 */
export async function dryRun({ pool, clock, limits }: Context, order: DryRunOrder): Promise<DryRunResult> {
  try {
    return await separateTransaction(pool, order.workspace_id, async (tx) => {
      throw new DryRunEnd(await perform({ tx, clock, limits }, order));
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result;
    throw error;
  }
}

async function perform(
  { tx, clock, limits }: Pick<LockedRun, 'tx' | 'clock' | 'limits'>,
  order: DryRunOrder,
): Promise<DryRunResult> {
  const { workspace_id, contact_id, program } = order;
  const contact = await lockRunContact(tx, workspace_id, contact_id);
  if (!contact) throw invalid(unknownReference('names no contact', '/contact_id'));
  const conversation = await lockLatest(tx, workspace_id, contact_id);
  const workflow_id = order.workflow_id ?? (await storeDraft(tx, clock, order));
  const hindrances: Hindrance[] = contact.blocked ? ['blocked'] : [];
  if (program.trigger !== 'api_call' && (await hasRunningRun(tx, { workspace_id, contact_id, workflow_id }))) {
    hindrances.push('already_running');
  }
  if (program.trigger === 'message_received' && conversation?.controller === 'bot') hindrances.push('bot_in_control');

  const run = newRun(newId(clock), {
    ...{ workspace_id, workflow_id, version: 0, contact_id, depth: 0, root_run_id: null, trigger: {} },
    conversation_id: conversation?.id ?? null,
  });
  const state = { run, program, workflow_status: 'published' as const, is_blocked: contact.blocked, conversation };
  const locked: LockedRun = { tx, clock, limits, ...state, timer: undefined, steps: [] };
  run.trigger = await pretendTrigger(locked, order.trigger);
  const scope = { trigger: run.trigger, contact: await readContactScope(tx, workspace_id, contact_id) };
  const room = newExpansionRoom();
  const conditions = orTooLong(() => new ConditionEvaluator(scope).explain(program.when, room));
  const holds = orTooLong(() => new ConditionEvaluator(scope).allHold(program.when));
  const shown = conditions instanceof ExpansionTooLong ? [] : conditions;
  if (holds !== true) {
    const state = holds === false ? 'not_started' : 'failed';
    return { state, reason: holds === false ? null : holds.message, conditions: shown, hindrances, path: [] };
  }
  setStart(run, program);
  await insertRun(tx, run, clock.now());
  const { path, end } = await followRun(locked, order, room);
  const ended = run.status === 'running' ? 'completed' : run.status;
  return { state: end === 'ended' ? ended : end, reason: run.reason, conditions: shown, hindrances, path };
}

async function lockLatest(
  tx: Transaction,
  workspace_id: string,
  contact_id: string,
): Promise<LockedConversation | undefined> {
  const id = await findLatestConversation(tx, workspace_id, contact_id);
  return id ? lockConversation(tx, workspace_id, id) : undefined;
}

/** A run needs a workflow. That of one that is not saved yet goes with the transaction. */
async function storeDraft(tx: Transaction, clock: Clock, { workspace_id, program }: DryRunOrder): Promise<string> {
  const id = newId(clock);
  const { trigger, waits_for = null, after_seconds = null } = program;
  const row = { workspace_id, id, name: `dry run ${id}`, trigger, waits_for, after_seconds, definition: {} };
  await storeWorkflow(tx, { ...row, status: 'draft', version: 0, updated_at: clock.now(), saved_by: null });
  return id;
}
