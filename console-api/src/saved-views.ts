import { operations } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, nothing, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** Stands for the person who looks, in the place of the id of a user. */
export const assignedToMe = 'me';

/** The filters of the contract's list of conversations, and the team. An assignee of `me` stands for the person who looks. */
export const ViewFilter = Type.Object(
  {
    ...Type.Omit(operations.listConversations.query, ['limit', 'cursor']).properties,
    team_id: Type.Optional(text('Only those of this team.')),
  },
  { additionalProperties: false },
);
export type ViewFilter = Static<typeof ViewFilter>;

/** A named filter of the list of conversations. */
export const SavedView = Type.Object({
  id: text(),
  name: text(),
  shared: Type.Boolean({ description: 'Whether everybody in the workspace sees it. Otherwise the person alone does.' }),
  filter: ViewFilter,
  version: text('Of the name and the filter.'),
});
export type SavedView = Static<typeof SavedView>;

const viewParams = Type.Object({ workspace_id: text(), view_id: text() });
const reply = (status: 200 | 201) => ({ status, body: SavedView }) as const;

export const savedViewOperations = {
  listSavedViews: defineConsoleOperation({
    id: 'listSavedViews',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/views',
    audience: 'agent',
    summary: 'List the shared views and those of the person, each group in its order',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(SavedView) }) },
    refusals: [],
  }),
  createSavedView: defineConsoleOperation({
    id: 'createSavedView',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/views',
    audience: 'agent',
    summary: 'Save a view, at the end of its group; supervisors may share it',
    idempotent: true,
    params: inWorkspace,
    body: Type.Object({ name: text(), shared: Type.Optional(Type.Boolean()), filter: ViewFilter }),
    reply: reply(201),
    refusals: ['role_insufficient', 'limit_reached', 'idempotency_conflict', 'unprocessable_content'],
  }),
  changeSavedView: defineConsoleOperation({
    id: 'changeSavedView',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/views/{view_id}',
    audience: 'agent',
    summary:
      'Rename, refilter or move a view, unless somebody did since the given version; supervisors may change shared ones',
    idempotent: false,
    params: viewParams,
    body: Type.Object({
      version: Type.Optional(text('Absent: whatever the values are now.')),
      name: Type.Optional(text()),
      filter: Type.Optional(ViewFilter),
      position: Type.Optional(
        Type.Integer({ minimum: 0, description: 'The place in its group: 0 is the first. The others make room.' }),
      ),
    }),
    reply: reply(200),
    refusals: ['not_found', 'changed_meanwhile', 'role_insufficient', 'limit_reached', 'unprocessable_content'],
  }),
  deleteSavedView: defineConsoleOperation({
    id: 'deleteSavedView',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/views/{view_id}',
    audience: 'agent',
    summary: 'Delete a view; supervisors may delete shared ones',
    idempotent: false,
    params: viewParams,
    reply: nothing,
    refusals: ['not_found', 'role_insufficient'],
  }),
};
