import { Team } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, nothing, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { UseCounts } from './use-counts.ts';

export const TeamEntry = Type.Object({ team: Team, version: text('Of the values that a person changes.') });
export type TeamEntry = Static<typeof TeamEntry>;

const ofTeam = Type.Object({ workspace_id: text(), team_id: text() });
const name = Type.String({ minLength: 1, maxLength: 255 });
const member_ids = Type.Optional(Type.Array(text(), { description: 'They replace the members of the team.' }));

export const teamOperations = {
  listTeamEntries: defineConsoleOperation({
    id: 'listTeamEntries',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/team-entries',
    audience: 'admin',
    summary: 'List the teams with their versions',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(TeamEntry) }) },
    refusals: [],
  }),
  createTeam: defineConsoleOperation({
    id: 'createTeam',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/teams',
    audience: 'admin',
    summary: 'Make a team',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ name, member_ids }),
    reply: { status: 201, body: TeamEntry },
    refusals: ['limit_reached', 'unprocessable_content'],
  }),
  changeTeam: defineConsoleOperation({
    id: 'changeTeam',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/teams/{team_id}',
    audience: 'admin',
    summary: 'Rename a team or change its members, unless somebody changed it since the given version',
    idempotent: false,
    params: ofTeam,
    body: Type.Object({ version: text(), name: Type.Optional(name), member_ids }),
    reply: { status: 200, body: TeamEntry },
    refusals: ['not_found', 'changed_meanwhile', 'limit_reached', 'unprocessable_content'],
  }),
  getTeamUse: defineConsoleOperation({
    id: 'getTeamUse',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/teams/{team_id}/use',
    audience: 'admin',
    summary: 'Count what the removal of a team takes from it',
    idempotent: false,
    params: ofTeam,
    reply: { status: 200, body: UseCounts },
    refusals: ['not_found'],
  }),
  deleteTeam: defineConsoleOperation({
    id: 'deleteTeam',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/teams/{team_id}',
    audience: 'admin',
    summary: 'Remove a team; its conversations keep their assignees and have no team',
    idempotent: false,
    params: ofTeam,
    query: Type.Object({ version: text() }),
    reply: nothing,
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
};
