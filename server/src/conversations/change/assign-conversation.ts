import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { isKnown } from '../list/is-known.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/** Gives it to a user, a team or both, or takes it from them (null). What is not sent stays. */
export async function assignConversation(
  tx: Transaction,
  conversation: LockedConversation,
  { assignee_id, team_id }: { assignee_id?: string | null; team_id?: string | null },
): Promise<void> {
  const { workspace_id } = conversation;
  const assignee = assignee_id && (parseId('user', assignee_id) ?? '');
  const team = team_id && (parseId('team', team_id) ?? '');
  const faults = [];
  if (typeof assignee === 'string' && !(await isKnown(tx, 'users', workspace_id, assignee))) {
    faults.push({ detail: 'names no user', pointer: '/assignee_id' });
  }
  if (typeof team === 'string' && !(await isKnown(tx, 'teams', workspace_id, team))) {
    faults.push({ detail: 'names no team', pointer: '/team_id' });
  }
  if (faults.length > 0) throw invalid(...faults);
  await updateConversation(tx, conversation, {
    ...(assignee !== undefined && { assignee_id: assignee }),
    ...(team !== undefined && { team_id: team }),
  });
}
