import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { findHidden, type WantedObjects } from './is-visible-to.ts';

/** Who asks. API keys, and people without a limit, see everything of their workspace. */
export type Principal = Pick<Caller, 'workspace_id' | 'user_id' | 'own_teams_only'>;

/** The user whose own teams limit what the principal sees; undefined for one who sees everything. */
export function limitedUserOf({ own_teams_only, user_id }: Pick<Principal, 'own_teams_only' | 'user_id'>) {
  return own_teams_only ? (user_id ?? undefined) : undefined;
}

/**
 * The gate that every use case asks about the objects that a request leads to, whether the path, the query or the body names
 * them: 404 for what the principal may not see, as for what there is not. A write asks after it has locked the conversation.
 */
export async function refuseHidden(
  connection: Connection,
  principal: Principal,
  objects: Omit<WantedObjects, 'workspace_id' | 'user_id'>,
  detail?: string,
): Promise<void> {
  const user_id = limitedUserOf(principal);
  if (user_id === undefined) return;
  const { workspace_id } = principal;
  const hidden = await findHidden(connection, [{ ...objects, workspace_id, user_id }]);
  if (hidden.size > 0) throw refuseAsUnknown(detail);
}

/** 404. `detail` helps where a number or an address leads to what is hidden, since an unknown one would be taken. */
export function refuseAsUnknown(detail: string | undefined): Refusal {
  return new Refusal('not_found', detail === undefined ? {} : { detail });
}

export const ofAnotherTeam = 'A customer of another team has this number or address.';

const lockConversations = statement(`
  select from conversations where workspace_id = $1 and contact_id = $2 order by id for no key update`);

/**
 * 404 for a contact that the principal may not see. Its conversations cannot move to other teams until the transaction ends.
 * The contact is locked before, as everywhere.
 */
export async function holdContact(
  tx: Transaction,
  principal: Principal,
  contact_id: string,
  detail?: string,
): Promise<void> {
  if (limitedUserOf(principal) === undefined) return;
  await lockConversations(tx, [principal.workspace_id, contact_id]);
  await refuseHidden(tx, principal, { contact_id }, detail);
}
