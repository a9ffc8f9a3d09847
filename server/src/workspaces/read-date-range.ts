import type { Connection } from '../database/pool.ts';
import { invalid } from '../http/reply/refusal.ts';
import { type DayRange, dayOf } from './calendar.ts';
import { getWorkspace } from './read-workspace.ts';

/** The requested days, both included, with the workspace's time zone. */
export async function readDateRange(
  connection: Connection,
  workspace_id: string,
  { from, to }: { from: string; to: string },
): Promise<DayRange & { timezone: string }> {
  const range = { first: dayOf(from), last: dayOf(to) };
  if (range.first > range.last) throw invalid({ detail: 'is after `to`', pointer: '/from' });
  const { timezone } = await getWorkspace(connection, workspace_id);
  return { ...range, timezone: timezone ?? 'UTC' };
}
