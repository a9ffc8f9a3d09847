import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, nothing, RoleText, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { UseCounts } from './use-counts.ts';

/** A user of the workspace. Without `joined_at`, nobody signs in as this user yet. */
export const Member = Type.Object({
  user_id: text(),
  name: text(),
  email: text(),
  role: Type.Optional(text()),
  own_teams_only: Type.Boolean({
    description: 'Sees the conversations of own teams, and those assigned to them, alone.',
  }),
  joined_at: Type.Optional(dateTime()),
  last_seen_at: Type.Optional(dateTime()),
  version: text('Of the values that a person changes.'),
});
export type Member = Static<typeof Member>;

export const Invitation = Type.Object({
  id: text(),
  email: text(),
  role: RoleText,
  invited_by: Type.Optional(text()),
  created_at: dateTime(),
  expires_at: dateTime(),
});
export type Invitation = Static<typeof Invitation>;

const memberParams = Type.Object({ workspace_id: text(), user_id: text() });

export const memberOperations = {
  listMembers: defineConsoleOperation({
    id: 'listMembers',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/members',
    audience: 'agent',
    summary: 'List the people of the workspace',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(Member) }) },
    refusals: [],
  }),
  changeMember: defineConsoleOperation({
    id: 'changeMember',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/members/{user_id}',
    audience: 'admin',
    summary: 'Change the role of a member, or what they see, unless somebody did since the given version',
    idempotent: false,
    params: memberParams,
    body: Type.Object({
      version: Type.Optional(text('Absent: whatever the values are now.')),
      role: Type.Optional(RoleText),
      own_teams_only: Type.Optional(Type.Boolean()),
    }),
    reply: { status: 200, body: Member },
    refusals: ['not_found', 'changed_meanwhile', 'last_owner', 'role_insufficient', 'unprocessable_content'],
  }),
  getMemberUse: defineConsoleOperation({
    id: 'getMemberUse',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/members/{user_id}/use',
    audience: 'admin',
    summary: 'Count what the end of a membership takes from the person',
    idempotent: false,
    params: memberParams,
    reply: { status: 200, body: UseCounts },
    refusals: ['not_found'],
  }),
  removeMember: defineConsoleOperation({
    id: 'removeMember',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/members/{user_id}',
    audience: 'admin',
    summary: 'End the membership of a person; their sessions lose the workspace at once',
    idempotent: false,
    params: memberParams,
    reply: nothing,
    refusals: ['not_found', 'last_owner', 'role_insufficient'],
  }),
  listInvitations: defineConsoleOperation({
    id: 'listInvitations',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/invitations',
    audience: 'admin',
    summary: 'List the open invitations',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(Invitation) }) },
    refusals: [],
  }),
  inviteMember: defineConsoleOperation({
    id: 'inviteMember',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/invitations',
    audience: 'admin',
    summary: 'Invite a person by e-mail; the link is in the answer where the service sends no e-mail',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ email: text(), role: RoleText }),
    reply: {
      status: 201,
      body: Type.Object({
        invitation: Invitation,
        link: Type.Optional(text('Good once, for a day, to give to the person. Absent: it was sent by e-mail.')),
      }),
    },
    refusals: ['already_member', 'limit_reached', 'role_insufficient', 'unprocessable_content'],
  }),
  withdrawInvitation: defineConsoleOperation({
    id: 'withdrawInvitation',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/invitations/{invitation_id}',
    audience: 'admin',
    summary: 'Withdraw an invitation',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), invitation_id: text() }),
    reply: nothing,
    refusals: ['not_found'],
  }),
};
