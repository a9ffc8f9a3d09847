import { newId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import type { Job } from '../jobs/job.ts';
import type { Resources } from '../process/resources.ts';
import { dayOf, momentsOf } from '../workspaces/calendar.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import type { Meter } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { countCredits, deleteUsage, lockBudget, saveUsage } from './queries.ts';

const tokensPerCredit = 1_000;

/**
 * Runs one task of the models and books its credits: one for up to 1,000 tokens of all its calls. A task without an
 * answered call costs none. One credit is booked before the task, so that a crash leaves it counted. Repeated tasks with one `id` count
 * once. Throws ModelFailure if the budget of the month is exhausted.
 */
export async function spendCredits<Result>(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  workspace_id: string,
  work: (meter: Meter) => Promise<Result>,
  id = newId(clock),
): Promise<Result> {
  const usage = { workspace_id, id, created_at: clock.now() };
  await transaction(pool, async (tx) => {
    const budget = await lockBudget(tx, workspace_id);
    if (budget !== null) {
      const { timezone } = await getWorkspace(tx, workspace_id);
      const used = await countCredits(tx, usage, monthOf(clock.now(), timezone ?? 'UTC'));
      if (used >= budget) throw new ModelFailure('the AI credits of this month are used up');
    }
    await saveUsage(tx, { ...usage, credits: 1 });
  });
  let tokens = 0;
  try {
    return await work((more) => {
      tokens += more;
    });
  } finally {
    if (tokens > 0) await saveUsage(pool, { ...usage, credits: Math.ceil(tokens / tokensPerCredit) });
    else await deleteUsage(pool, workspace_id, id);
  }
}

/** The task id of a job, the same for each attempt. UUID version 8, which `newId` never generates. */
export function taskIdOf({ id }: Job): string {
  return `00000000-0000-8000-8000-${id.toString(16).padStart(12, '0')}`;
}

/** The calendar month in the time zone of the workspace. */
function monthOf(now: Date, timeZone: string): { starts_at: Date; ends_at: Date } {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = dayOf(`${today.slice(0, 7)}-01`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return momentsOf({ first, last: first + days - 1 }, timeZone);
}
