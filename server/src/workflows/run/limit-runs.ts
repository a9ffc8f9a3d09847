import { lowestIdAt } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Bounds } from '../../http/body/check-bounds.ts';
import type { Config } from '../../process/config.ts';
import type { Quotas } from '../../process/quotas.ts';
import type { RunState } from './run-queries.ts';

/** Bounds of the runs that one cause and one workspace may start, and of their values. */
export interface RunLimits {
  /** Runs that one run may lead to, directly and through others. */
  per_chain: number;
  /** Runs that a workspace may start in a minute of the clock. */
  per_minute: number;
  /** Bounds of the values that steps write. */
  bounds: Bounds;
  /** How much of a kind the workspace may have, such as tags that steps make. */
  quotas: Quotas;
}

export function readRunLimits({ workflowRunsPerChain, workflowRunsPerMinute, bounds, quotas }: Config): RunLimits {
  return { per_chain: workflowRunsPerChain, per_minute: workflowRunsPerMinute, bounds, quotas };
}

/** The longest chain of runs that start each other: it ends circles of workflows. */
const maxRunDepth = 5;

type NextRun = Pick<RunState, 'workspace_id' | 'depth' | 'root_run_id'>;

const countChain = statement<{ count: number }>(`
  select count(*)::int from (
    select from workflow_runs where workspace_id = $1 and root_run_id = $2 limit $3) as runs`);

/**
 * The reason not to start the next run of a chain. A run at every branch of every run would multiply: ten steps that start their
 * own workflow lead to 100,000 runs within five. The transaction holds the lock of the contact, which all runs of a chain have.
 */
export async function findChainFault(
  tx: Transaction,
  { per_chain }: RunLimits,
  { workspace_id, depth, root_run_id }: NextRun,
): Promise<{ reason: string; is_repeated: boolean } | undefined> {
  if (root_run_id === null) return undefined;
  const { count } = (await countChain(tx, [workspace_id, root_run_id, per_chain + 1]))[0]!;
  if (count >= per_chain) {
    const reason = `One run led to ${per_chain} others (WORKFLOW_RUNS_PER_CHAIN): no further one is started.`;
    return { reason, is_repeated: count > per_chain };
  }
  if (depth <= maxRunDepth) return undefined;
  const reason = `A chain of ${maxRunDepth} runs led to this one, each started by the one before: it is not started.`;
  return { reason, is_repeated: false };
}

const minuteMs = 60_000;

// The primary key finds them, because ids begin with the time of their creation.
const countMinute = statement<{ count: number }>(`
  select count(*)::int from (
    select from workflow_runs
    where workspace_id = $1 and id >= $2 limit $3) as runs`);

/** The end of the current minute, where the workspace has started all runs of this minute. Otherwise undefined. */
export async function findMinuteEnd(
  tx: Transaction,
  { per_minute }: RunLimits,
  { workspace_id, now }: { workspace_id: string; now: Date },
): Promise<Date | undefined> {
  const start_ms = now.getTime() - (now.getTime() % minuteMs);
  const { count } = (await countMinute(tx, [workspace_id, lowestIdAt(new Date(start_ms)), per_minute]))[0]!;
  return count >= per_minute ? new Date(start_ms + minuteMs) : undefined;
}
