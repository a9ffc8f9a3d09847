import { Workspace } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const WorkspaceState = Type.Object({ workspace: Workspace, version: text('Of the values that a person changes.') });
export type WorkspaceState = Static<typeof WorkspaceState>;

const time = Type.String({ description: 'A time of day such as 09:00.' });

export const HoursSpan = Type.Object({
  from: time,
  until: Type.String({ description: 'Later than `from`; 00:00 is the end of the day.' }),
});
export type HoursSpan = Static<typeof HoursSpan>;

/** When the business answers, by the time zone of the workspace. */
export const BusinessHours = Type.Object({
  weekly: Type.Array(Type.Array(HoursSpan, { maxItems: 12 }), {
    minItems: 7,
    maxItems: 7,
    description: 'The spans of each day, from Sunday to Saturday.',
  }),
  closed_days: Type.Array(
    Type.Object({ date: Type.String({ description: '2026-12-18' }), name: Type.Optional(text()) }),
    { maxItems: 200 },
  ),
  away_message: Type.Optional(
    Type.String({ bound: 'long', description: 'Sent once in each closed period to a customer who writes in it.' }),
  ),
});
export type BusinessHours = Static<typeof BusinessHours>;

const BusinessHoursState = Type.Object({
  hours: Type.Optional({ ...BusinessHours, description: 'Absent: none are set, so the business is never closed.' }),
  timezone: text(),
  open_now: Type.Boolean(),
  version: text(),
});
export type BusinessHoursState = Static<typeof BusinessHoursState>;

const nullable = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }));

export const workspaceSettingsOperations = {
  getWorkspaceSettings: defineConsoleOperation({
    id: 'getWorkspaceSettings',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/settings',
    audience: 'admin',
    summary: 'Read the workspace with its version',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: WorkspaceState },
    refusals: [],
  }),
  changeWorkspace: defineConsoleOperation({
    id: 'changeWorkspace',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/settings',
    audience: 'admin',
    summary: 'Change the workspace, unless somebody did since the given version; only sent members change',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      version: text(),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      industry: nullable,
      country: nullable,
      timezone: nullable,
      language: nullable,
    }),
    reply: { status: 200, body: WorkspaceState },
    refusals: ['changed_meanwhile', 'unprocessable_content'],
  }),
  getBusinessHours: defineConsoleOperation({
    id: 'getBusinessHours',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/business-hours',
    audience: 'agent',
    summary: 'Read the business hours, and whether the business is open now',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: BusinessHoursState },
    refusals: [],
  }),
  changeBusinessHours: defineConsoleOperation({
    id: 'changeBusinessHours',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/business-hours',
    audience: 'admin',
    summary: 'Replace the business hours, unless somebody did since the given version',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      version: text(),
      hours: Type.Union([BusinessHours, Type.Null()], { description: 'Null: never closed.' }),
    }),
    reply: { status: 200, body: BusinessHoursState },
    refusals: ['changed_meanwhile', 'unprocessable_content'],
  }),
};
