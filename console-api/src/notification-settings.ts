import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const conversations = ['all', 'mine_and_unassigned', 'mine', 'none'] as const;

const QuietHours = Type.Object({
  from: text('A time of day, such as 22:00.'),
  until: text('A time of day. One before `from` is of the next day.'),
});
export type QuietHours = Static<typeof QuietHours>;

// A list of types, not a union: a wrong value then gives one error, not three.
const NullableQuietHours = Type.Unsafe<QuietHours | null>({ ...QuietHours, type: ['object', 'null'] });
const NullableTimezone = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'An IANA name. Null: that of the workspace.',
});

const choices = {
  conversations: Type.Enum([...conversations], {
    type: 'string',
    description: 'The conversations whose new messages notify.',
  }),
  mentions: Type.Boolean({ description: 'Whether notes that mention the person notify.' }),
  sound: Type.Boolean(),
  desktop: Type.Boolean(),
  quiet_hours: NullableQuietHours,
  timezone: NullableTimezone,
};

/** What notifies a person in a workspace. */
export const NotificationSettings = Type.Object({
  ...choices,
  quiet_now: Type.Boolean({ description: "Whether it is quiet now, by the server's clock." }),
  quiet_changes_at: Type.Optional(dateTime('When `quiet_now` changes next. Absent without quiet hours.')),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

const settingsPath = '/console/v1/workspaces/{workspace_id}/notification-settings';
const reply = { status: 200, body: NotificationSettings } as const;

export const notificationSettingsOperations = {
  readNotificationSettings: defineConsoleOperation({
    id: 'readNotificationSettings',
    method: 'GET',
    path: settingsPath,
    audience: 'agent',
    summary: "Read the person's notification settings in the workspace",
    idempotent: false,
    params: inWorkspace,
    reply,
    refusals: [],
  }),
  changeNotificationSettings: defineConsoleOperation({
    id: 'changeNotificationSettings',
    method: 'PATCH',
    path: settingsPath,
    audience: 'agent',
    summary: "Change the person's notification settings in the workspace; only sent members change",
    idempotent: false,
    params: inWorkspace,
    body: Type.Partial(Type.Object(choices)),
    reply,
    refusals: ['unprocessable_content'],
  }),
};
