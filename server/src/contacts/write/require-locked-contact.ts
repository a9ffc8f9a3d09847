import { holdContact, type Principal } from '../../conversations/refuse-hidden.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { lockContact } from './save-contacts.ts';

/** Locks a contact; 404 where the principal sees none. It stays visible until the transaction ends. */
export async function requireLockedContact(tx: Transaction, principal: Principal, id: string): Promise<void> {
  if (!(await lockContact(tx, principal.workspace_id, id))) throw new Refusal('not_found');
  await holdContact(tx, principal, id);
}
