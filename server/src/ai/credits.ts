import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { transaction } from '../database/transaction.ts';
import type { Job } from '../jobs/job.ts';
import type { Clock } from '../process/clock.ts';
import type { Resources } from '../process/resources.ts';
import { dayOf, momentsOf } from '../workspaces/calendar.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import type { Meter } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { countCredits, countCreditsOfAgent, deleteUsage, lockAgentBudget, lockBudget, saveUsage } from './queries.ts';

const tokensPerCredit = 1_000;

export interface CreditTask {
  /** Repeated tasks with one `id` count once. */
  id?: string;
  /** The agent that answers. Its own budget counts beside that of the workspace. */
  ai_agent_id?: string;
}

/**
 * Runs one task of the models and books its credits: one for up to 1,000 tokens of all its calls. A task without an
 * answered call costs none. One credit is booked before the task, so that a crash leaves it counted. Throws
 * ModelFailure if the budget of the month is exhausted, of the workspace or of the agent.
 */
export async function spendCredits<Result>(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  workspace_id: string,
  work: (meter: Meter) => Promise<Result>,
  { id = newId(clock), ai_agent_id }: CreditTask = {},
): Promise<Result> {
  const usage = { workspace_id, id, ai_agent_id: ai_agent_id ?? null, created_at: clock.now() };
  await transaction(pool, async (tx) => {
    const budget = await lockBudget(tx, workspace_id);
    const own = ai_agent_id === undefined ? null : await lockAgentBudget(tx, workspace_id, ai_agent_id);
    if (budget !== null || own !== null) {
      const month = await readMonth(tx, clock, workspace_id);
      if (budget !== null && (await countCredits(tx, usage, month)) >= budget) {
        throw new ModelFailure('the AI credits of this month are used up');
      }
      if (own !== null && (await countCreditsOfAgent(tx, usage, month)) >= own) {
        throw new ModelFailure('its own AI credits of this month are used up');
      }
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

export interface Month {
  starts_at: Date;
  ends_at: Date;
}

/** The calendar month in the time zone of the workspace. */
export async function readMonth(connection: Connection, clock: Clock, workspace_id: string): Promise<Month> {
  const { timezone } = await getWorkspace(connection, workspace_id);
  return monthOf(clock.now(), timezone ?? 'UTC');
}

function monthOf(now: Date, timeZone: string): Month {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = dayOf(`${today.slice(0, 7)}-01`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return momentsOf({ first, last: first + days - 1 }, timeZone);
}
