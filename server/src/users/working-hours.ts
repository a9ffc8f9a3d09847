import { isDeepStrictEqual } from 'node:util';
import type { UserHours, WorkingHours } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { evaluateHours, findHoursFaults } from '../workspaces/business-hours.ts';
import { readStoredHours } from '../workspaces/read-stored-hours.ts';
import { setWorkingHours } from './queries.ts';

type Weekly = WorkingHours['weekly'];

/** As stored. */
interface WeeklyRow {
  workspace_id: string;
  id: string;
  weekly: unknown;
}

interface HoursRow extends WeeklyRow {
  timezone: string | null;
  is_business_limited: boolean;
  business_weekly: unknown;
  closed_days: unknown;
}

// On its closed days the business has nobody at work.
const columns = `u.workspace_id, u.id, u.working_hours as weekly, w.timezone,
  h.workspace_id is not null as is_business_limited, h.weekly as business_weekly, h.closed_days`;
const calendars = `
  join workspaces w on w.id = u.workspace_id left join business_hours h on h.workspace_id = u.workspace_id`;

const selectHours = statement<HoursRow>(`
  select ${columns} from users u ${calendars} where u.workspace_id = $1 and u.removed_at is null order by u.id`);
const selectLimited = statement<HoursRow>(`
  select ${columns} from json_to_recordset($1) as n (workspace_id uuid)
  join users u on u.workspace_id = n.workspace_id and u.working_hours is not null ${calendars}`);
const lockHours = statement<WeeklyRow & { role: string | null }>(`
  select workspace_id, id, working_hours as weekly, role from users
  where workspace_id = $1 and id = $2 and removed_at is null for no key update`);

/** The hours of the person by themselves. */
function weeklyOf(connection: Connection, { workspace_id, id, weekly }: WeeklyRow): Weekly | null {
  if (weekly === null) return null;
  const hours = readStoredHours(connection, { workspace_id, user_id: id }, { weekly, closed_days: [] });
  return hours?.weekly ?? null;
}

function isAtWork(connection: Connection, row: HoursRow, now: Date): boolean {
  const { workspace_id, timezone, is_business_limited, business_weekly, closed_days } = row;
  const weekly = weeklyOf(connection, row);
  if (!weekly) return true;
  const stored = { weekly: business_weekly, closed_days };
  const business = is_business_limited ? readStoredHours(connection, { workspace_id }, stored) : undefined;
  return evaluateHours({ weekly, closed_days: business?.closed_days ?? [] }, timezone ?? 'UTC', now).is_open;
}

const versionOf = (weekly: Weekly | null): string => digestOf([weekly]);

/** The users of these workspaces who are outside of their hours. */
export async function listOutsideHours(
  connection: Connection,
  workspace_ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const named = workspace_ids.map((workspace_id) => ({ workspace_id }));
  const rows = await selectLimited(connection, [JSON.stringify(named)]);
  return rows.filter((row) => !isAtWork(connection, row, now)).map(({ id }) => id);
}

/** Of all users but former members. */
export async function listHours(connection: Connection, workspace_id: string, now: Date): Promise<UserHours[]> {
  return (await selectHours(connection, [workspace_id])).map((row) => {
    const weekly = weeklyOf(connection, row);
    return {
      user_id: publicId('user', row.id),
      ...(weekly && { hours: { weekly } }),
      at_work: isAtWork(connection, row, now),
      version: versionOf(weekly),
    };
  });
}

/**
 * Replaces the hours of a user. Where somebody changed them since `version`, nothing changes. `mayChange` decides by the role of
 * the user.
 */
export async function changeHoursOf(
  tx: Transaction,
  { workspace_id, id }: { workspace_id: string; id: string },
  { version, hours }: { version: string; hours: WorkingHours | null },
  mayChange: (role: string | null) => boolean,
): Promise<void> {
  const [before] = await lockHours(tx, [workspace_id, id]);
  if (!before) throw new Refusal('not_found');
  if (!mayChange(before.role)) throw new Refusal('role_insufficient');
  if (versionOf(weeklyOf(tx, before)) !== version) throw new Refusal('changed_meanwhile');
  await setWorkingHours(tx, workspace_id, id, hours && readWeekly(hours));
}

/** Sets the hours of a member who has none. Answers whether others stay, which people may have set. */
export async function seedHours(
  tx: Transaction,
  { workspace_id, id }: { workspace_id: string; id: string },
  hours: WorkingHours,
): Promise<boolean> {
  const weekly = readWeekly(hours);
  const [before] = await lockHours(tx, [workspace_id, id]);
  if (!before) return false;
  const set = weeklyOf(tx, before);
  if (set) return !isDeepStrictEqual(set, weekly);
  await setWorkingHours(tx, workspace_id, id, weekly);
  return false;
}

/** The stored form of hours; refuses what the schema cannot express. */
function readWeekly({ weekly }: WorkingHours): Weekly {
  const faults = findHoursFaults({ weekly, closed_days: [] });
  if (faults.length > 0) throw invalid(faults);
  return weekly.map((spans) => spans.map(({ from, until }) => ({ from, until })));
}
