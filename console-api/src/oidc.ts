import { Type } from 'typebox';
import { text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const Address = Type.Object({ url: text("The issuer's page, which the browser visits next.") });

export const oidcOperations = {
  beginOidcSignIn: defineConsoleOperation({
    id: 'beginOidcSignIn',
    method: 'POST',
    path: '/console/v1/sign-in/oidc',
    audience: 'anyone',
    summary: 'Begin to sign in with the identity provider',
    idempotent: false,
    body: Type.Object({
      return_to: Type.Optional(text('The path of the console to come back to.')),
      invitation: Type.Optional(text('The token of an invitation that the sign-in accepts.')),
    }),
    reply: { status: 200, body: Address },
    refusals: ['not_found', 'oidc_unavailable', 'unprocessable_content'],
  }),
  beginOidcConfirmation: defineConsoleOperation({
    id: 'beginOidcConfirmation',
    method: 'POST',
    path: '/console/v1/confirm/oidc',
    audience: 'person',
    summary: 'Begin to prove the identity again with the identity provider',
    idempotent: false,
    reply: { status: 200, body: Address },
    refusals: ['not_found', 'oidc_unavailable'],
  }),
};
