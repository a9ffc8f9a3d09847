import type { PasskeyRegistration } from '@majlis/console-api';
import { newId } from '../../database/ids.ts';
import { transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { recordOwnAct } from '../audit.ts';
import { makeChallenge } from '../challenges.ts';
import { findPerson } from '../people.ts';
import { lockOwner, type PersonSession } from '../sessions.ts';
import type { SignInContext } from '../sign-in.ts';
import { insertPasskey, listPasskeys, type Passkey } from './queries.ts';
import { readName } from './read-name.ts';
import { requireRelyingParty } from './relying-party.ts';
import { takeChallenge } from './take-challenge.ts';

const most = 20;

/** The options with which the browser makes a passkey. */
export async function beginPasskey(
  { pool, clock, config }: SignInContext,
  { id: session_id, person_id }: PersonSession,
): Promise<object> {
  const party = requireRelyingParty(config.publicUrl);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const person = await findPerson(pool, person_id);
  const passkeys = await listPasskeys(pool, person_id);
  const challenge = await makeChallenge(pool, clock, { purpose: 'register_passkey', session_id });
  return generateRegistrationOptions({
    rpName: 'Majlis',
    rpID: party.id,
    userID: Buffer.from(person_id.replaceAll('-', ''), 'hex'),
    userName: person.email,
    userDisplayName: person.name,
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id })),
    // The passkey names its person, and its use proves two factors: the device, and a finger, face or PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export interface Addition {
  session: PersonSession;
  name: string;
  response: PasskeyRegistration;
  address: string;
}

export async function addPasskey(
  { pool, clock, config }: SignInContext,
  { session, name, response, address }: Addition,
): Promise<Passkey> {
  const { person_id } = session;
  const party = requireRelyingParty(config.publicUrl);
  const shown = readName(name);
  const challenge = await takeChallenge({ pool, clock }, response, ['register_passkey'], session.id);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const registration = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!registration?.verified) throw invalid({ detail: 'is no passkey of this service', pointer: '/response' });
  const { credential } = registration.registrationInfo;
  const passkey: Passkey = {
    id: newId(clock),
    person_id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    name: shown,
    created_at: clock.now(),
    last_used_at: null,
  };
  await transaction(pool, async (tx) => {
    // The lock keeps the number of passkeys within its bound.
    await lockOwner(tx, session);
    if ((await listPasskeys(tx, person_id)).length >= most) {
      throw invalid({ detail: `A person has ${most} passkeys at most: remove one first.`, pointer: '' });
    }
    if (!(await insertPasskey(tx, passkey))) throw invalid({ detail: 'is registered already', pointer: '/response' });
    await recordOwnAct(tx, clock, { person_id, action: 'addPasskey', address, details: { name: shown } });
  });
  return passkey;
}
