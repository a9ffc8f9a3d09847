import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { UserRow } from './present.ts';
import { setAvailable } from './queries.ts';
import { findUser } from './read-users.ts';

/** Sets whether round-robin assignment may choose the user, from the next conversation on. Undefined changes nothing. */
export async function setAvailability(
  tx: Transaction,
  workspace_id: string,
  id: string | undefined,
  available: boolean | undefined,
): Promise<UserRow> {
  if (id && available !== undefined) await setAvailable(tx, workspace_id, id, available);
  const user = id && (await findUser(tx, workspace_id, id));
  if (!user) throw new Refusal('not_found');
  return user;
}
