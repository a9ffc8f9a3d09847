import { type Static, Type } from 'typebox';
import { count, dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** The most that are told in one answer. */
export const mostPlatformNotices = 100;

export const PlatformNotices = Type.Object({
  counts: Type.Array(
    Type.Object({
      field: text('Of the platform.'),
      reason: text(),
      count: count(),
      last_at: dateTime(),
    }),
    { description: 'The most frequent first.' },
  ),
  data: Type.Array(
    Type.Object({
      channel_id: text(),
      field: text(),
      reason: text(),
      raw: text('As it came.'),
      received_at: dateTime(),
    }),
    { description: `The newest ${mostPlatformNotices}.` },
  ),
});
export type PlatformNotices = Static<typeof PlatformNotices>;

export const platformNoticeOperations = {
  listPlatformNotices: defineConsoleOperation({
    id: 'listPlatformNotices',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/platform-notices',
    audience: 'admin',
    whole_workspace: true,
    summary: 'Read what the platform reported and the service does not apply',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: PlatformNotices },
    refusals: [],
  }),
};
