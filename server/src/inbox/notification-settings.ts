import type { NotificationSettings, QuietHours } from '@majlis/console-api';
import type { ErrorDetail } from '@majlis/contract';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import { invalid } from '../http/reply/refusal.ts';
import { publishLive } from '../live/publish-live.ts';
import type { Clock } from '../process/clock.ts';
import { isTimezone } from '../workspaces/is-timezone.ts';
import { evaluateQuietHours, isTimeOfDay } from './quiet-hours.ts';

interface SettingsRow {
  conversations: NotificationSettings['conversations'];
  mentions: boolean;
  sound: boolean;
  desktop: boolean;
  quiet_from: string | null;
  quiet_until: string | null;
  timezone: string | null;
}

/** The settings of a person who has changed nothing. A browser asks before it shows notifications on the desktop. */
const initial: SettingsRow = {
  conversations: 'mine_and_unassigned',
  mentions: true,
  sound: true,
  desktop: false,
  quiet_from: null,
  quiet_until: null,
  timezone: null,
};

type UserKey = Record<'workspace_id' | 'user_id', string>;

// Joined to the workspace, which gives the zone.
const selectSettings = statement<SettingsTexts & { workspace_timezone: string | null }>(`
  select s.conversations, s.mentions, s.sound, s.desktop, s.quiet_from, s.quiet_until, s.timezone,
    w.timezone as workspace_timezone
  from workspaces w left join notification_settings s on s.workspace_id = w.id and s.user_id = $2
  where w.id = $1`);

type SettingsTexts = { [Name in keyof SettingsRow]: SettingsRow[Name] | null };

async function findSettings(connection: Connection, { workspace_id, user_id }: UserKey) {
  const [row] = await selectSettings(connection, [workspace_id, user_id]);
  const { workspace_timezone, ...stored } = row!;
  const settings = stored.conversations === null ? initial : (stored as SettingsRow);
  return { settings, workspace_timezone };
}

export async function readNotificationSettings(
  connection: Connection,
  clock: Clock,
  key: UserKey,
): Promise<NotificationSettings> {
  const { settings, workspace_timezone } = await findSettings(connection, key);
  const { quiet_from, quiet_until, ...choices } = settings;
  const quiet_hours = quiet_from !== null && quiet_until !== null ? { from: quiet_from, until: quiet_until } : null;
  const timezone = settings.timezone ?? workspace_timezone ?? 'UTC';
  const quiet = quiet_hours && evaluateQuietHours(quiet_hours, timezone, clock.now());
  return {
    ...choices,
    quiet_hours,
    quiet_now: quiet?.quiet_now ?? false,
    ...(quiet && { quiet_changes_at: quiet.changes_at.toISOString() }),
  };
}

export type SettingsChange = Partial<Omit<NotificationSettings, 'quiet_now' | 'quiet_changes_at'>>;

/** Members that are not sent stay. */
export async function changeNotificationSettings(
  connection: Connection,
  key: UserKey,
  { quiet_hours, ...change }: SettingsChange,
): Promise<void> {
  const faults = findFaults(quiet_hours, change.timezone);
  if (faults.length > 0) throw invalid(faults);
  const { settings } = await findSettings(connection, key);
  const values = {
    ...settings,
    ...change,
    ...(quiet_hours !== undefined && {
      quiet_from: quiet_hours?.from ?? null,
      quiet_until: quiet_hours?.until ?? null,
    }),
  };
  const query = build
    .insertInto('notification_settings')
    .values({ ...key, ...values })
    .onConflict((on) => on.columns(['workspace_id', 'user_id']).doUpdateSet(values));
  await run(connection, query);
  const { workspace_id, user_id } = key;
  await publishLive(connection, [{ workspace_id, kind: 'notification_settings', for_user_id: user_id }]);
}

function findFaults(quiet_hours: QuietHours | null | undefined, timezone: string | null | undefined): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  for (const name of ['from', 'until'] as const) {
    if (!quiet_hours || isTimeOfDay(quiet_hours[name])) continue;
    faults.push({ detail: 'must be a time of day such as 22:00', pointer: `/quiet_hours/${name}` });
  }
  if (faults.length === 0 && quiet_hours && quiet_hours.from === quiet_hours.until) {
    faults.push({ detail: 'must differ from the beginning', pointer: '/quiet_hours/until' });
  }
  if (timezone != null && !isTimezone(timezone)) {
    faults.push({ detail: 'is not the IANA name of a time zone', pointer: '/timezone' });
  }
  return faults;
}
