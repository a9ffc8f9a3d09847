import { type Static, Type } from 'typebox';
import { dateTime, nothing, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

// An authenticator chooses ids of up to 1,023 bytes, and a key of RSA is long.
const bytes = () => Type.String({ bound: 'long', description: 'In base64url.' });
const credential = { id: bytes(), rawId: bytes(), type: text() };
const results = { clientExtensionResults: Type.Optional(Type.Object({})) };

/** What `PublicKeyCredential.toJSON()` gives for a new passkey (WebAuthn Level 3, section 5.1.8). */
export const PasskeyRegistration = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytes(),
    attestationObject: bytes(),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
  ...results,
});
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** What `PublicKeyCredential.toJSON()` gives for a passkey that was used. */
export const PasskeyProof = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytes(),
    authenticatorData: bytes(),
    signature: bytes(),
    userHandle: Type.Optional(bytes()),
  }),
  ...results,
});
export type PasskeyProof = Static<typeof PasskeyProof>;

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
export const PasskeyOptions = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) });
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const PasskeyEntry = Type.Object({
  id: text(),
  name: text(),
  created_at: dateTime(),
  last_used_at: Type.Optional(dateTime()),
});
export type PasskeyEntry = Static<typeof PasskeyEntry>;

const passkey = Type.Object({ passkey_id: text() });

export const passkeyOperations = {
  listPasskeys: defineConsoleOperation({
    id: 'listPasskeys',
    method: 'GET',
    path: '/console/v1/passkeys',
    audience: 'person',
    summary: 'List the passkeys of the person',
    idempotent: false,
    reply: { status: 200, body: Type.Object({ data: Type.Array(PasskeyEntry) }) },
    refusals: [],
  }),
  beginPasskey: defineConsoleOperation({
    id: 'beginPasskey',
    method: 'POST',
    path: '/console/v1/passkeys/begin',
    audience: 'person',
    confirmed: true,
    summary: 'Begin to add a passkey',
    idempotent: false,
    reply: { status: 200, body: PasskeyOptions },
    refusals: ['passkeys_unavailable'],
  }),
  addPasskey: defineConsoleOperation({
    id: 'addPasskey',
    method: 'POST',
    path: '/console/v1/passkeys',
    audience: 'person',
    confirmed: true,
    summary: 'Add the passkey that the browser made',
    idempotent: false,
    body: Type.Object({ name: text(), response: PasskeyRegistration }),
    reply: { status: 201, body: PasskeyEntry },
    refusals: ['passkeys_unavailable', 'sign_in_failed', 'unprocessable_content'],
  }),
  renamePasskey: defineConsoleOperation({
    id: 'renamePasskey',
    method: 'PATCH',
    path: '/console/v1/passkeys/{passkey_id}',
    audience: 'person',
    summary: 'Give a passkey another name',
    idempotent: false,
    params: passkey,
    body: Type.Object({ name: text() }),
    reply: nothing,
    refusals: ['not_found', 'unprocessable_content'],
  }),
  removePasskey: defineConsoleOperation({
    id: 'removePasskey',
    method: 'DELETE',
    path: '/console/v1/passkeys/{passkey_id}',
    audience: 'person',
    confirmed: true,
    summary: 'Remove a passkey, but never the last way to sign in',
    idempotent: false,
    params: passkey,
    reply: nothing,
    refusals: ['not_found', 'last_sign_in_method'],
  }),
  beginPasskeySignIn: defineConsoleOperation({
    id: 'beginPasskeySignIn',
    method: 'POST',
    path: '/console/v1/sign-in/passkey/begin',
    audience: 'anyone',
    summary: 'Begin to sign in with a passkey',
    idempotent: false,
    reply: { status: 200, body: PasskeyOptions },
    refusals: ['passkeys_unavailable'],
  }),
  beginPasskeyConfirmation: defineConsoleOperation({
    id: 'beginPasskeyConfirmation',
    method: 'POST',
    path: '/console/v1/confirm/passkey/begin',
    audience: 'person',
    summary: 'Begin to prove the identity again with a passkey',
    idempotent: false,
    reply: { status: 200, body: PasskeyOptions },
    refusals: ['passkeys_unavailable'],
  }),
};
