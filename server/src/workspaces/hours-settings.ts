import type { BusinessHours, BusinessHoursState } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { evaluateHours, findHoursFaults, type Opening } from './business-hours.ts';
import { readStoredHours } from './read-stored-hours.ts';

interface HoursRow {
  timezone: string | null;
  has_hours: boolean;
  weekly: unknown;
  closed_days: unknown;
  away_message: string | null;
}

const selectHours = statement<HoursRow>(`
  select w.timezone, h.workspace_id is not null as has_hours, h.weekly, h.closed_days, h.away_message
  from workspaces w left join business_hours h on h.workspace_id = w.id where w.id = $1`);

export interface WorkspaceHours {
  /** Undefined: the business is never closed. */
  hours: BusinessHours | undefined;
  timezone: string;
}

export async function readHours(connection: Connection, workspace_id: string): Promise<WorkspaceHours> {
  const [row] = await selectHours(connection, [workspace_id]);
  const { timezone, has_hours, weekly, closed_days, away_message } = row!;
  const stored = { weekly, closed_days, ...(away_message !== null && { away_message }) };
  const hours = has_hours ? readStoredHours(connection, { workspace_id }, stored) : undefined;
  return { hours, timezone: timezone ?? 'UTC' };
}

/** Whether the business is open now. Without hours it always is. */
export async function readOpening(connection: Connection, workspace_id: string, now: Date): Promise<Opening> {
  const { hours, timezone } = await readHours(connection, workspace_id);
  return hours ? evaluateHours(hours, timezone, now) : { is_open: true };
}

export function presentHours({ hours, timezone }: WorkspaceHours, now: Date): BusinessHoursState {
  return {
    ...(hours && { hours }),
    timezone,
    open_now: hours === undefined || evaluateHours(hours, timezone, now).is_open,
    version: digestOf([hours ?? null]),
  };
}

const lockWorkspace = statement('select from workspaces where id = $1 for no key update');
const upsertHours = statement(`
  insert into business_hours (workspace_id, weekly, closed_days, away_message) values ($1, $2, $3, $4)
  on conflict (workspace_id) do update
  set weekly = excluded.weekly, closed_days = excluded.closed_days, away_message = excluded.away_message`);

/** Replaces the hours. Where somebody changed them since `version`, nothing changes. */
export async function changeHours(
  tx: Transaction,
  workspace_id: string,
  { version, hours }: { version: string; hours: BusinessHours | null },
): Promise<WorkspaceHours> {
  const faults = hours ? findHoursFaults(hours) : [];
  if (faults.length > 0) throw invalid(faults);
  await lockWorkspace(tx, [workspace_id]);
  const before = await readHours(tx, workspace_id);
  if (digestOf([before.hours ?? null]) !== version) throw new Refusal('changed_meanwhile');
  if (!hours) {
    await run(tx, build.deleteFrom('business_hours').where('workspace_id', '=', workspace_id));
  } else {
    const weekly = hours.weekly.map((spans) => spans.map(({ from, until }) => ({ from, until })));
    const closed_days = hours.closed_days
      .map(({ date, name }) => ({ date, ...(name !== undefined && name.trim() !== '' && { name: name.trim() }) }))
      .sort((a, b) => (a.date < b.date ? -1 : 1));
    const away = hours.away_message?.trim() || null;
    await upsertHours(tx, [workspace_id, JSON.stringify(weekly), JSON.stringify(closed_days), away]);
  }
  return readHours(tx, workspace_id);
}
