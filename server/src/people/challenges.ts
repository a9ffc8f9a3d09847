import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { hashToken, newToken } from './token.ts';

export type Purpose =
  | 'register_passkey'
  | 'sign_in_with_passkey'
  | 'confirm_with_passkey'
  | 'sign_in_with_oidc'
  | 'confirm_with_oidc';

export interface Challenge {
  purpose: Purpose;
  /** Of a person who is signed in: no other session can use the challenge. */
  session_id: string | null;
  exchange: Buffer | null;
}

/** How long a person may take between the two requests of a passkey or of the identity provider. */
export const challengeSeconds = 300;

// The lock waits for an end of the session at this moment.
const insertChallenge = statement<{ purpose: Purpose }>(`
  insert into sign_in_challenges (token_hash, purpose, session_id, exchange, created_at)
  select $1, $2, $3, $4, $5 where $3::uuid is null or exists (select from sessions where id = $3 for key share)
  returning purpose`);

/** Answers 32 random bytes as base64url. The database has their hash alone. Refuses where the session has ended. */
export async function makeChallenge(
  connection: Connection,
  clock: Clock,
  challenge: { purpose: Purpose; session_id?: string | undefined; token?: string; exchange?: Buffer },
): Promise<string> {
  const { purpose, session_id = null, exchange = null } = challenge;
  const { token, token_hash } = challenge.token
    ? { token: challenge.token, token_hash: hashToken(challenge.token) }
    : newToken();
  const made = await insertChallenge(connection, [token_hash, purpose, session_id, exchange, clock.now()]);
  if (made.length === 0) throw new Refusal('signed_out');
  return token;
}

const deleteChallenge = statement<Challenge>(`
  delete from sign_in_challenges where token_hash = $1 and purpose = any($2) and created_at > $3
  returning purpose, session_id, exchange`);

/**
 * Uses up a challenge, also where the answer to it turns out to be wrong. Of two uses at once, the second finds nothing. The
 * deletion must not be in a transaction that a wrong answer undoes.
 */
export async function useChallenge(
  connection: Connection,
  clock: Clock,
  { token, purposes, session_id }: { token: string; purposes: readonly Purpose[]; session_id: string | undefined },
): Promise<Challenge | undefined> {
  const [challenge] = await deleteChallenge(connection, [hashToken(token), purposes, earliest(clock)]);
  return !challenge || (challenge.session_id !== null && challenge.session_id !== session_id) ? undefined : challenge;
}

function earliest(clock: Clock): Date {
  return new Date(clock.nowMs() - challengeSeconds * 1000);
}

export async function deleteExpiredChallenges(connection: Connection, clock: Clock): Promise<void> {
  await run(connection, build.deleteFrom('sign_in_challenges').where('created_at', '<=', earliest(clock)));
}
