import { type Static, Type } from 'typebox';
import { dateTime, nothing, RoleText, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { PasskeyProof } from './passkeys.ts';

/** `second_factor`: the password was right, and the code of the person's app is missing. */
export const SignInState = Type.Object({ state: Type.Enum(['signed_in', 'second_factor'], { type: 'string' }) });
export type SignInState = Static<typeof SignInState>;

export const SignInMethods = Type.Object({
  password: Type.Boolean(),
  passkey_origin: Type.Optional(
    text('Where passkeys work. Absent: PUBLIC_URL is plain http, or an address without a name.'),
  ),
  oidc_name: Type.Optional(text('The name of the identity provider.')),
  email: Type.Boolean({ description: 'Whether the service sends e-mail, such as a link to reset a password.' }),
});

export type SignInMethods = Static<typeof SignInMethods>;

export const LinkDetails = Type.Object({
  kind: Type.Enum(['invitation', 'reset', 'sign_in'], { type: 'string' }),
  email: text(),
  expires_at: dateTime(),
  workspace_name: Type.Optional(text()),
  role: Type.Optional(RoleText),
  is_yours: Type.Boolean({ description: 'Whether the session is of that person, and enough to join.' }),
});
export type LinkDetails = Static<typeof LinkDetails>;

const Token = Type.Object({ token: text('From the fragment of the link.') });
const signedIn = { status: 200, body: SignInState } as const;

export const signInOperations = {
  readSignInMethods: defineConsoleOperation({
    id: 'readSignInMethods',
    method: 'GET',
    path: '/console/v1/sign-in',
    audience: 'anyone',
    summary: 'Read the ways to sign in',
    idempotent: false,
    reply: { status: 200, body: SignInMethods },
    refusals: [],
  }),
  signIn: defineConsoleOperation({
    id: 'signIn',
    method: 'POST',
    path: '/console/v1/sign-in',
    audience: 'anyone',
    summary: 'Sign in with a password',
    idempotent: false,
    body: Type.Object({ email: text(), password: text() }),
    reply: signedIn,
    refusals: ['sign_in_failed', 'unprocessable_content'],
  }),
  signInWithCode: defineConsoleOperation({
    id: 'signInWithCode',
    method: 'POST',
    path: '/console/v1/sign-in/code',
    audience: 'anyone',
    summary: 'Complete a sign-in with a code or a recovery code',
    idempotent: false,
    body: Type.Object({ code: text() }),
    reply: signedIn,
    refusals: ['sign_in_failed', 'unprocessable_content'],
  }),
  readLink: defineConsoleOperation({
    id: 'readLink',
    method: 'POST',
    path: '/console/v1/links/read',
    audience: 'anyone',
    summary: 'Read the purpose of a link',
    idempotent: false,
    body: Token,
    reply: { status: 200, body: LinkDetails },
    refusals: ['link_invalid', 'unprocessable_content'],
  }),
  signInWithPasskey: defineConsoleOperation({
    id: 'signInWithPasskey',
    method: 'POST',
    path: '/console/v1/sign-in/passkey',
    audience: 'anyone',
    summary: 'Sign in with a passkey',
    idempotent: false,
    body: PasskeyProof,
    reply: signedIn,
    refusals: ['passkeys_unavailable', 'sign_in_failed', 'unprocessable_content'],
  }),
  signInWithLink: defineConsoleOperation({
    id: 'signInWithLink',
    method: 'POST',
    path: '/console/v1/sign-in/link',
    audience: 'anyone',
    summary: 'Sign in with a link of the command line',
    idempotent: false,
    body: Token,
    reply: signedIn,
    refusals: ['already_member', 'limit_reached', 'link_invalid', 'unprocessable_content'],
  }),
  acceptInvitation: defineConsoleOperation({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/console/v1/invitations/accept',
    audience: 'anyone',
    summary: 'Join a workspace; an account of its owner proves itself by its session or its password',
    idempotent: false,
    body: Type.Object({ token: text(), name: Type.Optional(text()), password: Type.Optional(text()) }),
    reply: signedIn,
    refusals: [
      'address_unproven',
      'already_member',
      'limit_reached',
      'link_invalid',
      'sign_in_failed',
      'unprocessable_content',
    ],
  }),
  requestPasswordReset: defineConsoleOperation({
    id: 'requestPasswordReset',
    method: 'POST',
    path: '/console/v1/password/forgot',
    audience: 'anyone',
    summary: 'Ask for a link to reset the password; the answer is the same for unknown addresses',
    idempotent: false,
    body: Type.Object({ email: text() }),
    reply: nothing,
    refusals: ['unprocessable_content'],
  }),
  resetPassword: defineConsoleOperation({
    id: 'resetPassword',
    method: 'POST',
    path: '/console/v1/password/reset',
    audience: 'anyone',
    summary: 'Set a new password with a link; all sessions end',
    idempotent: false,
    body: Type.Object({ token: text(), password: text() }),
    reply: signedIn,
    refusals: ['link_invalid', 'unprocessable_content'],
  }),
};
