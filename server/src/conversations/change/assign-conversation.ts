import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { holdPresentUsers } from '../../users/hold-member.ts';
import { holdByPublicId } from '../find-by-public-id.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

/** Assigns a conversation to a user, a team or both; null unassigns. A member that is not sent stays. */
export async function assignConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { assignee_id, team_id }: { assignee_id?: string | null; team_id?: string | null },
  actor: Actor,
): Promise<void> {
  const { workspace_id } = conversation;
  const assignee = assignee_id == null ? assignee_id : await findMember(tx, workspace_id, assignee_id);
  const team = team_id == null ? team_id : await holdByPublicId(tx, 'team', workspace_id, team_id);
  const faults = [];
  if (assignee_id != null && !assignee) faults.push(unknownReference('names no user', '/assignee_id'));
  if (team_id != null && !team) faults.push(unknownReference('names no team', '/team_id'));
  if (faults.length > 0) throw invalid(faults);
  const change = {
    ...(assignee !== undefined && { assignee_id: assignee }),
    ...(team !== undefined && { team_id: team }),
  };
  await updateConversation(tx, clock, conversation, change, { actor });
}

/** A former member would have the conversation, and nobody would answer it. */
async function findMember(tx: Transaction, workspace_id: string, public_id: string): Promise<string | undefined> {
  const id = parseId('user', public_id);
  return id && (await holdPresentUsers(tx, workspace_id, [id])).has(id) ? id : undefined;
}
