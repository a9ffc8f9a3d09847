import { mapOf } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, nothing, RoleText, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { PasskeyProof } from './passkeys.ts';

export const Membership = Type.Object({
  workspace_id: text(),
  workspace_name: text(),
  user_id: text(),
  role: RoleText,
  own_teams_only: Type.Boolean({ description: 'Whether the person sees the conversations of their own teams alone.' }),
});

/** What a person had before the first proof of the address, and the proof ended. */
export const endedByProof = ['password', 'passkeys', 'authenticator', 'sessions'] as const;
export type EndedByProof = (typeof endedByProof)[number];

const OwnKey = Type.Object({
  code: Type.String({ maxLength: 30, description: 'The place on the keyboard, as `KeyE`.' }),
  mod: Type.Optional(Type.Boolean({ description: 'With Control, or Command on a Mac.' })),
  shift: Type.Optional(Type.Boolean()),
  after: Type.Optional(Type.String({ maxLength: 30, description: 'The key that is pressed before.' })),
});

/** The keys that a person gave to commands of the console, by the commands' ids. */
export const OwnKeys = mapOf(OwnKey, {
  maxProperties: 100,
  description: 'The keys that the person gave to commands, by the ids of the commands.',
});
export type OwnKeys = Static<typeof OwnKeys>;

/** The signed-in person, for the console's first view. */
export const Session = Type.Object({
  person: Type.Object({
    id: text(),
    name: text(),
    email: text(),
    language: Type.Optional(text()),
    theme: Type.Optional(text()),
    single_key_shortcuts: Type.Boolean({ description: 'Whether keys without Control or Command act.' }),
    shortcuts: OwnKeys,
    has_password: Type.Boolean(),
    has_totp: Type.Boolean(),
    has_passkey: Type.Boolean(),
    proof: Type.Optional(
      Type.Object(
        { at: dateTime(), ended: Type.Array(Type.Enum([...endedByProof], { type: 'string' })) },
        { description: 'When the person proved the address, where that ended what the account had before.' },
      ),
    ),
    has_oidc: Type.Boolean({ description: 'Whether an account of the identity provider signs the person in.' }),
  }),
  workspaces: Type.Array(Membership),
  session_id: text(),
  now: dateTime("The server's clock."),
  simulator_url: Type.Optional(
    text('The page with the phones of the simulated customers. Absent: the platform is a real one.'),
  ),
  live_id: text('An id of the live stream. Who resumes after it is told all changes since this reading.'),
  version: text(
    'The version of the service, and of the console that it serves: `0.1.0+5f2c91aa0b1c`. Another console reloads.',
  ),
});
export type Session = Static<typeof Session>;

export const signInMethods = ['password', 'passkey', 'oidc', 'link'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const SessionEntry = Type.Object({
  id: text(),
  method: Type.Enum([...signInMethods], { type: 'string', description: 'The way of signing in.' }),
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
    summary: 'Prove the identity again with one of the three, for ten minutes',
    idempotent: false,
    body: Type.Object({
      password: Type.Optional(text()),
      code: Type.Optional(text('Of the authenticator app.')),
      passkey: Type.Optional(PasskeyProof),
    }),
    reply: nothing,
    refusals: ['passkeys_unavailable', 'sign_in_failed', 'unprocessable_content'],
  }),
  updateProfile: defineConsoleOperation({
    id: 'updateProfile',
    method: 'PATCH',
    path: '/console/v1/profile',
    audience: 'person',
    summary: 'Change name, language, theme or keyboard',
    idempotent: false,
    body: Type.Object({
      name: Type.Optional(text()),
      language: Type.Optional(Type.Enum(['ar', 'en'], { type: 'string' })),
      theme: Type.Optional(Type.Enum(['light', 'dark', 'system'], { type: 'string' })),
      single_key_shortcuts: Type.Optional(Type.Boolean()),
      shortcuts: Type.Optional(OwnKeys),
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
