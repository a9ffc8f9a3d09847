import type { EndedByProof } from '@majlis/console-api';
import { build, run } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Clock } from '../process/clock.ts';
import { hasJoined } from '../users/queries.ts';
import { recordOwnAct } from './audit.ts';
import { mailProofJob } from './jobs.ts';
import { deleteLinksTo, type Link } from './links.ts';
import { type Person, updatePerson } from './people.ts';
import { endSessionsOf } from './sessions.ts';
import { replaceRecoveryCodes } from './totp.ts';

interface AddressProof {
  by: 'link' | 'identity_provider';
  /** Where the request came from. */
  address: string;
  /** The password that the owner sets with the proof. */
  password_hash?: string;
}

/**
 * The owner of the address shows that it is theirs. An admin of any workspace may have made the account before, so the first
 * proof ends all that it had: password, passkeys, app with its recovery codes, sessions, links. An account at the identity
 * provider stays, because its issuer confirmed the address. The person's row must be locked. Nothing happens after a proof.
 */
export async function proveAddress(
  tx: Transaction,
  clock: Clock,
  person: Person,
  { by, address, password_hash }: AddressProof,
): Promise<void> {
  if (person.proven_at) return;
  const { id: person_id, email } = person;
  const passkeys = await run(tx, build.deleteFrom('passkeys').where('person_id', '=', person_id).returning('id'));
  const sessions = await endSessionsOf(tx, person_id);
  await replaceRecoveryCodes(tx, person_id, []);
  await deleteLinksTo(tx, ['reset', 'sign_in'], email);
  const ended: EndedByProof[] = [
    ...(person.password_hash ? ['password' as const] : []),
    ...(passkeys.length > 0 ? ['passkeys' as const] : []),
    ...(person.totp_enabled_at ? ['authenticator' as const] : []),
    ...(sessions > 0 ? ['sessions' as const] : []),
  ];
  await updatePerson(tx, person_id, {
    proven_at: clock.now(),
    ended_by_proof: ended,
    password_hash: password_hash ?? null,
    totp_secret: null,
    totp_enabled_at: null,
    totp_last_step: null,
  });
  await recordOwnAct(tx, clock, { person_id, action: 'proveAddress', address, details: { by, ended } });
  if (ended.length > 0) await enqueueJobs(tx, [mailProofJob({ person_id, email, ended }, clock.now())]);
}

/**
 * Refuses an account whose address nobody proved in a workspace whose admin gave the link away by hand: the admins of another
 * one may know its password. In a workspace that it joined before, the account stays as good as it was.
 * A link by e-mail opens a proven account alone, or proves it.
 */
export async function requireProven(tx: Transaction, link: Link, person: Person): Promise<void> {
  if (person.proven_at) return;
  if (await hasJoined(tx, link.workspace_id!, person.email)) return;
  throw new Refusal('address_unproven', {
    detail: 'Nobody has proven the e-mail address of this account. Ask the operator for a link: majlis reset-password.',
  });
}
