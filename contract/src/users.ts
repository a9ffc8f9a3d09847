import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { dateTime, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const User = Type.Object(
  {
    id: text(),
    name: Type.Optional(text()),
    email: Type.Optional(text()),
    role: Type.Optional(text()),
    teams: Type.Array(Type.String()),
    status: Type.Optional(text()),
    available: Type.Boolean({ description: 'Whether round-robin assignment may choose this user.' }),
    last_active_at: Type.Optional(dateTime('When the user was last active.')),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const Team = Type.Object({ id: text(), name: text(), member_ids: Type.Array(Type.String()) }, { title: 'Team' });
export type Team = Static<typeof Team>;

export const UserAvailability = Type.Object(
  { available: Type.Optional(Type.Boolean({ description: '`false`: round-robin assignment skips the user.' })) },
  { title: 'UserAvailability' },
);
export type UserAvailability = Static<typeof UserAvailability>;

export const userOperations = {
  listUsers: defineOperation({
    id: 'listUsers',
    method: 'GET',
    path: '/v1/users',
    label: 'Available',
    summary: 'List the users',
    description: 'All users of the workspace.',
    idempotent: false,
    reply: { status: 200, body: list('UserList', User) },
    refusals: [],
    example: { reply: { data: [examples.user] } },
  }),

  setUserAvailability: defineOperation({
    id: 'setUserAvailability',
    method: 'PUT',
    path: '/v1/users/{user_id}/availability',
    label: 'Coming soon',
    summary: 'Set whether a user is available',
    description: 'Round-robin assignment skips an unavailable user.',
    idempotent: false,
    params: Type.Object({ user_id: text('The user.') }),
    body: UserAvailability,
    reply: { status: 200, body: User },
    refusals: ['not_found', 'unprocessable_content'],
    example: {
      params: { user_id: examples.ids.user },
      body: { available: false },
      reply: { ...examples.user, available: false },
    },
  }),

  listTeams: defineOperation({
    id: 'listTeams',
    method: 'GET',
    path: '/v1/teams',
    label: 'Coming soon',
    summary: 'List the teams',
    description: 'All teams of the workspace, with their members.',
    idempotent: false,
    reply: { status: 200, body: list('TeamList', Team) },
    refusals: [],
    example: { reply: { data: [{ id: examples.ids.team, name: 'Sales', member_ids: [examples.ids.user] }] } },
  }),
};
