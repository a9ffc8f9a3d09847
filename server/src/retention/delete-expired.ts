import { deleteProposals } from '../automation/proposals.ts';
import { deleteRecipientsOf } from '../broadcasts/delete-recipients.ts';
import { lockContacts } from '../contacts/erase/lock-contacts.ts';
import { deleteConversation, detachConversations } from '../conversations/contact-conversations.ts';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { isLockTimeout, type Transaction, transaction } from '../database/transaction.ts';
import { eraseConversationAnswers } from '../http/idempotency/erase-answers.ts';
import { forgetConversations } from '../inbox/forget.ts';
import { removeUploads } from '../media/remove-media.ts';
import { deleteHistory } from '../messages/erase-messages.ts';
import { deleteScheduled } from '../messages/scheduled/erase-scheduled.ts';
import type { Clock } from '../process/clock.ts';
import { deleteEndedRuns } from '../workflows/run/erase-and-merge-runs.ts';
import { expiryOf, isExpired } from './find-expired.ts';
import { holdRetention } from './retention-settings.ts';

const selectContact = statement<{ contact_id: string | null }>(`
  select contact_id from conversations where workspace_id = $1 and id = $2`);
const lockOne = statement(`select from conversations where workspace_id = $1 and id = $2 for update`);
// A statement of its own, which sees what was stored while the locks were awaited.
const selectExpired = statement(`select from conversations c where ${isExpired} and c.id = $6`);

/**
 * Deletes one conversation with everything in it, in one transaction, if it is still expired by the setting of that moment.
 * Rows are locked in the order of the whole service. Returns whether it was deleted: one that somebody is just using is left to
 * a later run.
 */
export async function deleteExpired(
  pool: Pool,
  clock: Clock,
  conversation: Record<'workspace_id' | 'id', string>,
): Promise<boolean> {
  try {
    return await transaction(pool, (tx) => deleteIfExpired(tx, clock, conversation), 'short');
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  }
}

async function deleteIfExpired(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: Record<'workspace_id' | 'id', string>,
): Promise<boolean> {
  const days = await holdRetention(tx, workspace_id);
  const [found] = await selectContact(tx, [workspace_id, id]);
  if (days === null || !found?.contact_id) return false;
  await lockContacts(tx, workspace_id, [found.contact_id]);
  await lockOne(tx, [workspace_id, id]);
  const isGoing = (await selectExpired(tx, [...expiryOf(clock, workspace_id, days), id])).length > 0;
  if (!isGoing) return false;
  await deleteRecipientsOf(tx, workspace_id, id);
  await deleteEndedRuns(tx, workspace_id, id);
  const isWhole = await deleteHistory(tx, { workspace_id, id });
  await deleteScheduled(tx, workspace_id, [id]);
  await removeUploads(tx, workspace_id, await deleteProposals(tx, workspace_id, [id]));
  await forgetConversations(tx, workspace_id, [id]);
  await eraseConversationAnswers(tx, workspace_id, [id]);
  if (isWhole) await deleteConversation(tx, workspace_id, id);
  else await detachConversations(tx, workspace_id, [id]);
  return true;
}
