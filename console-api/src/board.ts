import { type Static, Type } from 'typebox';
import { mostCounted } from './bounds.ts';
import { inWorkspace, page, text } from './fields.ts';
import { InboxRow } from './inbox.ts';
import { defineConsoleOperation } from './operation.ts';

/** In the place of a stage: the conversations without one. */
export const noStage = 'none';

export const BoardCounts = Type.Object({
  stages: Type.Array(
    Type.Object({
      stage_id: text(`A stage, or ${noStage} for the conversations without one.`),
      count: Type.Integer({ description: `Counted up to ${mostCounted}.` }),
    }),
  ),
});
export type BoardCounts = Static<typeof BoardCounts>;

const assignee = Type.Optional(text('me: those of the person alone.'));

export const boardOperations = {
  countBoard: defineConsoleOperation({
    id: 'countBoard',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/board',
    audience: 'agent',
    summary: 'Count the open conversations of each stage',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({ assignee }),
    reply: { status: 200, body: BoardCounts },
    refusals: ['unprocessable_content'],
  }),
  listBoardColumn: defineConsoleOperation({
    id: 'listBoardColumn',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/board/{stage_id}',
    audience: 'agent',
    summary: 'List the open conversations of a stage, the latest activity first',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), stage_id: text(`Or ${noStage}.`) }),
    query: Type.Object({
      assignee,
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    reply: { status: 200, body: page(InboxRow) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
};
