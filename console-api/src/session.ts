import { type Static, Type } from 'typebox';
import { dateTime, nothing, RoleText, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const Membership = Type.Object({
  workspace_id: text(),
  workspace_name: text(),
  user_id: text(),
  role: RoleText,
});

/** The signed-in person, for the console's first view. */
export const Session = Type.Object({
  person: Type.Object({
    id: text(),
    name: text(),
    email: text(),
    language: Type.Optional(text()),
    theme: Type.Optional(text()),
    has_password: Type.Boolean(),
    has_totp: Type.Boolean(),
  }),
  workspaces: Type.Array(Membership),
  session_id: text(),
  now: dateTime("The server's clock."),
  version: text('The version of the service. A console of another version reloads.'),
});
export type Session = Static<typeof Session>;

export const SessionEntry = Type.Object({
  id: text(),
  current: Type.Boolean(),
  address: text(),
  user_agent: text(),
  created_at: dateTime(),
  last_seen_at: dateTime(),
});
export type SessionEntry = Static<typeof SessionEntry>;

export const sessionOperations = {
  readSession: defineConsoleOperation({
    id: 'readSession',
    method: 'GET',
    path: '/console/v1/session',
    audience: 'person',
    summary: 'Read the signed-in person and their workspaces',
    idempotent: false,
    reply: { status: 200, body: Session },
    refusals: [],
  }),
  signOut: defineConsoleOperation({
    id: 'signOut',
    method: 'POST',
    path: '/console/v1/sign-out',
    audience: 'person',
    summary: 'End this session',
    idempotent: false,
    reply: nothing,
    refusals: [],
  }),
  listSessions: defineConsoleOperation({
    id: 'listSessions',
    method: 'GET',
    path: '/console/v1/sessions',
    audience: 'person',
    summary: 'List the sessions of the person',
    idempotent: false,
    reply: { status: 200, body: Type.Object({ data: Type.Array(SessionEntry) }) },
    refusals: [],
  }),
  endSession: defineConsoleOperation({
    id: 'endSession',
    method: 'DELETE',
    path: '/console/v1/sessions/{session_id}',
    audience: 'person',
    summary: 'End a session of the person',
    idempotent: false,
    params: Type.Object({ session_id: text() }),
    reply: nothing,
    refusals: ['not_found'],
  }),
  confirmIdentity: defineConsoleOperation({
    id: 'confirmIdentity',
    method: 'POST',
    path: '/console/v1/confirm',
    audience: 'person',
    summary: 'Prove the identity again, for ten minutes',
    idempotent: false,
    body: Type.Object({ password: text() }),
    reply: nothing,
    refusals: ['sign_in_failed', 'unprocessable_content'],
  }),
  updateProfile: defineConsoleOperation({
    id: 'updateProfile',
    method: 'PATCH',
    path: '/console/v1/profile',
    audience: 'person',
    summary: 'Change name, language or theme',
    idempotent: false,
    body: Type.Object({
      name: Type.Optional(text()),
      language: Type.Optional(Type.Enum(['ar', 'en'], { type: 'string' })),
      theme: Type.Optional(Type.Enum(['light', 'dark', 'system'], { type: 'string' })),
    }),
    reply: nothing,
    refusals: ['unprocessable_content'],
  }),
  changePassword: defineConsoleOperation({
    id: 'changePassword',
    method: 'PUT',
    path: '/console/v1/password',
    audience: 'person',
    confirmed: true,
    summary: 'Change the password; all other sessions end',
    idempotent: false,
    body: Type.Object({ password: text() }),
    reply: nothing,
    refusals: ['unprocessable_content'],
  }),
  beginTotp: defineConsoleOperation({
    id: 'beginTotp',
    method: 'POST',
    path: '/console/v1/totp',
    audience: 'person',
    confirmed: true,
    summary: 'Begin to use an authenticator app',
    idempotent: false,
    reply: { status: 200, body: Type.Object({ secret: text(), uri: text('For a QR code.') }) },
    refusals: [],
  }),
  enableTotp: defineConsoleOperation({
    id: 'enableTotp',
    method: 'PUT',
    path: '/console/v1/totp',
    audience: 'person',
    confirmed: true,
    summary: 'Require codes of the app from now on',
    idempotent: false,
    body: Type.Object({ code: text() }),
    reply: { status: 200, body: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
    refusals: ['sign_in_failed', 'unprocessable_content'],
  }),
  disableTotp: defineConsoleOperation({
    id: 'disableTotp',
    method: 'DELETE',
    path: '/console/v1/totp',
    audience: 'person',
    confirmed: true,
    summary: 'Require codes no longer',
    idempotent: false,
    reply: nothing,
    refusals: [],
  }),
};
