import { type Static, Type } from 'typebox';
import { retentionDays } from './bounds.ts';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** How long the workspace keeps closed conversations. */
export const RetentionState = Type.Object({
  conversation_days: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: retentionDays.least,
    maximum: retentionDays.most,
    default: null,
    description: 'Days after the last message or note of a closed conversation; then it is deleted. Null: never.',
  }),
  version: text(),
});
export type RetentionState = Static<typeof RetentionState>;

const count = Type.Integer({ minimum: 0 });
/** What a retention deletes now. */
export const RetentionPreview = Type.Object({
  conversations: count,
  messages: count,
  files: count,
  has_more: Type.Boolean({ description: 'The count ended at a bound: there is more.' }),
});
export type RetentionPreview = Static<typeof RetentionPreview>;

export const retentionOperations = {
  getRetention: defineConsoleOperation({
    id: 'getRetention',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/retention',
    audience: 'admin',
    summary: 'Read how long closed conversations are kept',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: RetentionState },
    refusals: [],
  }),
  previewRetention: defineConsoleOperation({
    id: 'previewRetention',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/retention/preview',
    audience: 'admin',
    summary: 'Count what a retention of so many days deletes at once; messages include notes',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({ days: Type.Integer({ minimum: retentionDays.least, maximum: retentionDays.most }) }),
    reply: { status: 200, body: RetentionPreview },
    refusals: ['unprocessable_content'],
  }),
  changeRetention: defineConsoleOperation({
    id: 'changeRetention',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/retention',
    audience: 'admin',
    confirmed: true,
    summary:
      'Set how long closed conversations are kept, unless somebody did since the given version; older ones are deleted',
    idempotent: false,
    params: inWorkspace,
    body: RetentionState,
    reply: { status: 200, body: RetentionState },
    refusals: ['changed_meanwhile', 'unprocessable_content'],
  }),
};
