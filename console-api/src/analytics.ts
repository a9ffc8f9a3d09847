import { type Static, Type } from 'typebox';
import { datesOf, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** Messages that failed for one reason. */
export const FailureCount = Type.Object({
  code: Type.Optional(text('The number of the platform, or a code of the service. Absent: the reason has none.')),
  error: Type.Optional(text('The reason of one of them, in the words of the platform.')),
  count: Type.Integer(),
});
export type FailureCount = Static<typeof FailureCount>;

export const analyticsOperations = {
  getFailureAnalytics: defineConsoleOperation({
    id: 'getFailureAnalytics',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/analytics/failures',
    audience: 'supervisor',
    summary: 'Count the failed messages of a period by reason',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({ ...datesOf, template: Type.Optional(text('Only messages of this template.')) }),
    reply: { status: 200, body: Type.Object({ data: Type.Array(FailureCount) }) },
    refusals: ['unprocessable_content'],
  }),
};
