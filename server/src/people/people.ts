import type { OwnKeys } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import { Refusal } from '../http/reply/refusal.ts';

export interface Person {
  id: string;
  email: string;
  name: string;
  language: string | null;
  theme: string | null;
  single_key_shortcuts: boolean;
  /** By the ids of the console's commands. */
  shortcuts: OwnKeys;
  password_hash: string | null;
  totp_secret: Buffer | null;
  totp_enabled_at: Date | null;
  totp_last_step: number | null;
  oidc_issuer: string | null;
  oidc_subject: string | null;
  /** When the owner of the address proved it. Until then, everything of the account may be another person's. */
  proven_at: Date | null;
  /** What the proof ended. */
  ended_by_proof: string[];
}

const columns = [
  'id',
  'email',
  'name',
  'language',
  'theme',
  'single_key_shortcuts',
  'shortcuts',
  'password_hash',
  'totp_secret',
  'totp_enabled_at',
  'totp_last_step',
  'oidc_issuer',
  'oidc_subject',
  'proven_at',
  'ended_by_proof',
] as const;

const selectPerson = () => build.selectFrom('people').select(columns).$narrowType<{ shortcuts: OwnKeys }>();

/**
 * People are found by their address in lower case. The sign of kelvin stays: it would become the letter k, and so the address
 * of somebody else.
 */
export function normalizeEmail(email: string): string {
  return email.trim().replace(/[^\u212a]+/g, (part) => part.toLowerCase());
}

// Signs that nobody sees would show the address of somebody else, and bidi controls another order of its letters.
const part = String.raw`[^\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0@<>,;"]+`;
const address = new RegExp(`^${part}@${part}$`, 'u');

/** At most 254 characters with one `@` between two parts, as mail servers take (RFC 5321), none of them invisible. */
export function isEmail(email: string): boolean {
  return email.length <= 254 && address.test(email);
}

export function findPersonByEmail(connection: Connection, email: string): Promise<Person | undefined> {
  return runFirst(connection, selectPerson().where('email', '=', email));
}

/** Nothing deletes a person, so whoever has an id finds one. */
export async function findPerson(connection: Connection, id: string): Promise<Person> {
  return (await runFirst(connection, selectPerson().where('id', '=', id)))!;
}

/** The person of an account at an identity provider. */
export function findPersonBySubject(
  connection: Connection,
  issuer: string,
  subject: string,
): Promise<Person | undefined> {
  const query = selectPerson().where('oidc_issuer', '=', issuer).where('oidc_subject', '=', subject);
  return runFirst(connection, query);
}

/** Locks the person's row. */
export async function lockPerson(connection: Connection, id: string): Promise<Person> {
  return (await runFirst(connection, selectPerson().where('id', '=', id).forUpdate()))!;
}

/** Two invitations of one new address may be accepted at once: the second one is asked for the password of the account. */
export async function insertPerson(
  connection: Connection,
  person: Pick<Person, 'id' | 'email' | 'name' | 'password_hash' | 'proven_at'> & { created_at: Date },
): Promise<void> {
  const query = build
    .insertInto('people')
    .values(person)
    .onConflict((conflict) => conflict.column('email').doNothing());
  if ((await run(connection, query.returning('id'))).length === 0) {
    throw new Refusal('sign_in_failed', { detail: 'This address got an account a moment ago: use its password.' });
  }
}

export type PersonChange = Partial<Omit<Person, 'id' | 'email'>>;

export async function updatePerson(connection: Connection, id: string, change: PersonChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await run(connection, build.updateTable('people').set(change).where('id', '=', id));
}
