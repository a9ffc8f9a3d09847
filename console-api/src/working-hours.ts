import { type Static, Type } from 'typebox';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { BusinessHours } from './workspace-settings.ts';

/** When a person works, by the time zone of the workspace. */
export const WorkingHours = Type.Object({ weekly: BusinessHours.properties.weekly });
export type WorkingHours = Static<typeof WorkingHours>;

export const UserHours = Type.Object({
  user_id: text(),
  hours: Type.Optional({ ...WorkingHours, description: 'Absent: the person works at any time.' }),
  at_work: Type.Boolean({
    description: 'Whether it is within the hours, on a day on which the business is not closed. Without hours it is.',
  }),
  version: text('Of the hours.'),
});
export type UserHours = Static<typeof UserHours>;

const AllUserHours = Type.Object({ timezone: text('That of the workspace.'), data: Type.Array(UserHours) });
export type AllUserHours = Static<typeof AllUserHours>;

export const workingHoursOperations = {
  listWorkingHours: defineConsoleOperation({
    id: 'listWorkingHours',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/working-hours',
    audience: 'agent',
    summary: 'List the working hours of the users, and who is at work now',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: AllUserHours },
    refusals: [],
  }),
  changeWorkingHours: defineConsoleOperation({
    id: 'changeWorkingHours',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/members/{user_id}/working-hours',
    audience: 'agent',
    summary:
      'Replace the own working hours, unless somebody did since the given version; administrators may replace those of others',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), user_id: text() }),
    body: Type.Object({
      version: text(),
      hours: Type.Union([WorkingHours, Type.Null()], { description: 'Null: at any time.' }),
    }),
    reply: { status: 200, body: UserHours },
    refusals: ['not_found', 'changed_meanwhile', 'role_insufficient', 'unprocessable_content'],
  }),
};
