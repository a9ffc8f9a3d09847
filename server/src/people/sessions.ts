import type { SignInMethod } from '@majlis/console-api';
import { coalesce } from '../concurrency/batch.ts';
import { newId } from '../database/ids.ts';
import type { Connection, Pool } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import type { Client } from './client.ts';
import { lockPerson, type Person } from './people.ts';
import { hashToken, newToken } from './token.ts';

export interface PersonSession {
  id: string;
  person_id: string;
  method: SignInMethod;
  awaits_code: boolean;
  confirmed_at: Date;
  created_at: Date;
  last_seen_at: Date;
}

/** A session ends after seven days without a request, and after thirty days in any case. */
export const idleSeconds = 7 * 86_400;
export const absoluteSeconds = 30 * 86_400;
const confirmationSeconds = 600;
// A sign-in that awaits its code.
const codeSeconds = 600;
const userAgentLength = 300;

/** Answers the token for the cookie. Every sign-in makes a new one, so a token from before the sign-in is worth nothing. */
export async function openSession(
  connection: Connection,
  clock: Clock,
  {
    person_id,
    client,
    method,
    awaits_code = false,
  }: { person_id: string; client: Client; method: SignInMethod; awaits_code?: boolean },
): Promise<{ id: string; token: string }> {
  const { token, token_hash } = newToken();
  const now = clock.now();
  const id = newId(clock);
  const { address, user_agent } = client;
  const values = {
    id,
    person_id,
    token_hash,
    method,
    awaits_code,
    address,
    user_agent: user_agent.slice(0, userAgentLength),
    confirmed_at: now,
    created_at: now,
    last_seen_at: now,
  };
  await run(connection, build.insertInto('sessions').values(values));
  return { id, token };
}

const selectSessions = statement<PersonSession & { token_hash: Buffer }>(`
  select id, person_id, method, awaits_code, confirmed_at, created_at, last_seen_at, token_hash from sessions
  where token_hash = any($1::bytea[]) and created_at > $2 and last_seen_at > $3`);

export type FindSession = (token: string) => Promise<PersonSession | undefined>;

/** Nothing is cached: an ended session is refused by the next request. Requests that arrive together share one look-up. */
export function createFindSession(pool: Pool, clock: Clock): FindSession {
  const find = coalesce(
    async (hashes: Buffer[]) => {
      const now = clock.nowMs();
      const rows = await selectSessions(pool, [hashes, ...openSince(now)]);
      const byHash = new Map(rows.map(({ token_hash, ...session }) => [token_hash.toString('hex'), session]));
      return hashes.map((hash) => byHash.get(hash.toString('hex')));
    },
    { concurrency: 2, fails_all: () => true },
  );
  return (token) => find(hashToken(token));
}

/** The earliest creation and the earliest last request of a session that is still open. */
function openSince(now: number): [Date, Date] {
  return [new Date(now - absoluteSeconds * 1000), new Date(now - idleSeconds * 1000)];
}

const selectOpen = statement<{ id: string }>(`
  select id from sessions where id = any($1::uuid[]) and not awaits_code and created_at > $2 and last_seen_at > $3`);

/** Those of the sessions that have not ended. */
export async function findOpenSessions(
  connection: Connection,
  clock: Clock,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await selectOpen(connection, [ids, ...openSince(clock.nowMs())]);
  return rows.map(({ id }) => id);
}

export function isConfirmed({ confirmed_at }: PersonSession, clock: Clock): boolean {
  return clock.nowMs() - confirmed_at.getTime() < confirmationSeconds * 1000;
}

export function mayAwaitCode({ created_at }: PersonSession, clock: Clock): boolean {
  return clock.nowMs() - created_at.getTime() < codeSeconds * 1000;
}

// Once a minute suffices for the list of sessions and the idle end.
const seenEveryMs = 60_000;

export async function touchSession(connection: Connection, clock: Clock, session: PersonSession): Promise<void> {
  if (clock.nowMs() - session.last_seen_at.getTime() < seenEveryMs) return;
  const query = build.updateTable('sessions').set({ last_seen_at: clock.now() }).where('id', '=', session.id);
  await run(connection, query);
}

export async function confirmSession(connection: Connection, clock: Clock, id: string): Promise<void> {
  await run(connection, build.updateTable('sessions').set({ confirmed_at: clock.now() }).where('id', '=', id));
}

/** False where the session has ended already. */
export async function endSession(connection: Connection, id: string): Promise<boolean> {
  return (await run(connection, build.deleteFrom('sessions').where('id', '=', id).returning('id'))).length > 0;
}

/**
 * Locks the row of the person of a session. Refuses where the session ended since the request began: whoever proved the address
 * or set a new password meanwhile has the account now.
 */
export async function lockOwner(tx: Transaction, { id, person_id }: PersonSession): Promise<Person> {
  const person = await lockPerson(tx, person_id);
  await requireOpen(tx, { id });
  return person;
}

/** Refuses where the session ended since the request began. */
export async function requireOpen(connection: Connection, { id }: Pick<PersonSession, 'id'>): Promise<void> {
  const open = await run(connection, build.selectFrom('sessions').select('id').where('id', '=', id));
  if (open.length === 0) throw new Refusal('signed_out');
}

/** False where the person has no such session. */
export async function endSessionOf(connection: Connection, person_id: string, id: string): Promise<boolean> {
  const query = build.deleteFrom('sessions').where('person_id', '=', person_id).where('id', '=', id).returning('id');
  return (await run(connection, query)).length > 0;
}

/** Ends all sessions of a person, but for the one to keep. Answers how many ended. */
export async function endSessionsOf(connection: Connection, person_id: string, kept_id?: string): Promise<number> {
  let query = build.deleteFrom('sessions').where('person_id', '=', person_id);
  if (kept_id) query = query.where('id', '<>', kept_id);
  return (await run(connection, query.returning('id'))).length;
}

export interface ListedSession extends PersonSession, Pick<Client, 'address' | 'user_agent'> {}

export function listSessions(connection: Connection, clock: Clock, person_id: string): Promise<ListedSession[]> {
  const [created_after, seen_after] = openSince(clock.nowMs());
  const query = build
    .selectFrom('sessions')
    .select([
      'id',
      'person_id',
      'method',
      'awaits_code',
      'confirmed_at',
      'created_at',
      'last_seen_at',
      'address',
      'user_agent',
    ])
    .where('person_id', '=', person_id)
    .$narrowType<{ method: SignInMethod }>()
    .where('awaits_code', '=', false)
    .where('created_at', '>', created_after)
    .where('last_seen_at', '>', seen_after)
    .orderBy('last_seen_at', 'desc');
  return run(connection, query);
}

export async function deleteEndedSessions(connection: Connection, clock: Clock): Promise<void> {
  const [created_after, seen_after] = openSince(clock.nowMs());
  const query = build
    .deleteFrom('sessions')
    .where((is) => is.or([is('created_at', '<=', created_after), is('last_seen_at', '<=', seen_after)]));
  await run(connection, query);
}
