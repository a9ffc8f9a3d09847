import type { PasskeyOptions } from '@majlis/console-api';
import { Failure, request } from '../live/request.ts';

/** Whether this browser has passkeys for the service. They belong to one address, and plain http has none. */
export function hasPasskeys(origin: string | undefined): boolean {
  return (
    origin === location.origin &&
    isSecureContext &&
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

/** Makes a passkey on this device. */
export async function makePasskey(): Promise<object> {
  const { options } = await request<PasskeyOptions>('POST', '/passkeys/begin', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return finish(navigator.credentials.create({ publicKey }));
}

/** Proves a passkey, with the options of the path. */
export async function provePasskey(path: '/sign-in/passkey/begin' | '/confirm/passkey/begin'): Promise<object> {
  const { options } = await request<PasskeyOptions>('POST', path, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return finish(navigator.credentials.get({ publicKey }));
}

/** The browser says no more than that the person or the device refused: which one, it keeps to itself. */
async function finish(asked: Promise<Credential | null>): Promise<object> {
  const credential = await asked.catch((error: unknown) => {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Failure(isKnown ? 'passkey_known' : 'passkey_cancelled');
  });
  if (!credential) throw new Failure('passkey_cancelled');
  return (credential as PublicKeyCredential).toJSON();
}
