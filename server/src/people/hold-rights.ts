import type { Role } from '@majlis/console-api';
import type { Connection, Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';

/** A person in a workspace, with the rights that the pipeline has read. */
export interface Actor {
  workspace_id: string;
  user_id: string;
  role: Role;
  own_teams_only: boolean;
  session: { id: string; person_id: string };
}

// It waits for `for update`, with which a change of a membership begins, and for nothing else: people write at the same time.
// The session is not locked, so that its end waits for no write: a write that has come this far happened before the end.
const holdMembership = statement<{ role: string | null; own_teams_only: boolean; is_signed_in: boolean }>(`
  select role, own_teams_only, exists (select from sessions where id = $4) as is_signed_in
  from users where workspace_id = $1 and id = $2 and person_id = $3 for key share`);

// What a limited person sees depends on their teams. Locked before conversations, as a removal of a team does it.
const holdTeams = statement(`
  select from team_members where workspace_id = $1 and user_id = $2 order by team_id for key share`);

/**
 * Refuses a write where its session has ended or the rights of its person changed after the pipeline read them: a body may take
 * minutes to arrive. The rights cannot change any more until the transaction ends.
 */
export async function holdRights(connection: Connection, actor: Actor): Promise<void> {
  const { workspace_id, user_id, role, own_teams_only, session } = actor;
  const [now] = await holdMembership(connection, [workspace_id, user_id, session.person_id, session.id]);
  if (!now) throw new Refusal('not_found');
  if (!now.is_signed_in) throw new Refusal('signed_out');
  if (now.role !== role || now.own_teams_only !== own_teams_only) {
    throw new Refusal('role_insufficient', { detail: 'Your rights changed at this moment. Try again.' });
  }
  if (own_teams_only) await holdTeams(connection, [workspace_id, user_id]);
}

/** Runs a write of a person in one transaction, which holds their rights. */
export function transactionOf<Result>(
  actor: Actor,
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return transaction(pool, async (tx) => {
    await holdRights(tx, actor);
    return work(tx);
  });
}
