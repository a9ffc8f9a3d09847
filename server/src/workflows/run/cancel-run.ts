import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { endRun } from './advance-run.ts';
import type { RunLimits } from './limit-runs.ts';
import { lockRun } from './lock-run.ts';

/** Ends a run at the request of a person, and returns control of the conversation to people. False if it has ended already. */
export async function cancelRun(
  tx: Transaction,
  { clock, limits }: { clock: Clock; limits: RunLimits },
  ref: { workspace_id: string; run_id: string },
): Promise<boolean> {
  const locked = await lockRun({ tx, clock, limits }, ref);
  if (!locked) return false;
  await endRun(locked, 'cancelled', 'A person cancelled the run.');
  return true;
}
