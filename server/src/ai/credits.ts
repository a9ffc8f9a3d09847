import { newId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import type { Resources } from '../resources.ts';
import { dayOf, momentsOf } from '../workspaces/calendar.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import type { Meter } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { countCredits, deleteUsage, insertUsage, lockBudget, setUsage } from './queries.ts';

const tokensOfCredit = 1_000;

/**
 * One task for the models, and what it costs: a credit for each 1,000 tokens that are begun, of all its calls together; nothing
 * where no call was answered. It is booked before, with one credit, so that a crash on the way leaves it counted. Throws
 * ModelFailure where the budget of the month is used up.
 */
export async function spendCredits<Result>(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  workspace_id: string,
  work: (meter: Meter) => Promise<Result>,
): Promise<Result> {
  const id = newId(clock);
  await transaction(pool, async (tx) => {
    const budget = await lockBudget(tx, workspace_id);
    if (budget !== null) {
      const { timezone } = await getWorkspace(tx, workspace_id);
      const used = await countCredits(tx, workspace_id, monthOf(clock.now(), timezone ?? 'UTC'));
      if (used >= budget) throw new ModelFailure('the AI credits of this month are used up');
    }
    await insertUsage(tx, { workspace_id, id, credits: 1, created_at: clock.now() });
  });
  let tokens = 0;
  try {
    return await work((more) => {
      tokens += more;
    });
  } finally {
    if (tokens > 0) await setUsage(pool, workspace_id, id, Math.ceil(tokens / tokensOfCredit));
    else await deleteUsage(pool, workspace_id, id);
  }
}

/** The calendar month of the workspace. */
function monthOf(now: Date, timeZone: string): { starts_at: Date; ends_at: Date } {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = dayOf(`${today.slice(0, 7)}-01`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return momentsOf({ first, last: first + days - 1 }, timeZone);
}
