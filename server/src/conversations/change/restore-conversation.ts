import type { Restorable } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import { momentOf } from '../../database/moment-of.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { wakeConversationJob } from '../jobs.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import { assignConversation } from './assign-conversation.ts';
import type { Actor } from './record-changes.ts';
import { setConversationStage } from './set-conversation-stage.ts';

interface Present {
  assignee_id: string | null;
  team_id: string | null;
  stage_id: string | null;
  snoozed_until: Date | null;
  status: string;
}

const selectPresent = statement<Present>(`
  select assignee_id, team_id, stage_id, snoozed_until, status from conversations where workspace_id = $1 and id = $2`);

const deleteOwnClosing = statement<{ id: string }>(`
  with latest as (
    select id, closed_by from conversation_closings where workspace_id = $1 and conversation_id = $2
    order by closed_at desc, id desc limit 1
  )
  delete from conversation_closings c using latest
  where c.workspace_id = $1 and c.id = latest.id and latest.closed_by = $3 returning c.id`);

/**
 * Takes back an action of a person: sets what was before, if the conversation still has what the action has set. Compared under the
 * lock, so a colleague's change is never overwritten.
 */
export async function restoreConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  user_id: string,
  { expected, restored }: { expected: Restorable; restored: Restorable },
): Promise<void> {
  const { workspace_id, id } = conversation;
  const actor: Actor = { kind: 'user', id: user_id };
  const [present] = await selectPresent(tx, [workspace_id, id]);
  if (!hasStill(present!, expected)) throw new Refusal('changed_meanwhile');
  const { status, snoozed_until, stage_id, ...assignment } = restored;
  if (status === 'open' && present!.status === 'closed') {
    // A closing by somebody else, after a reopening, is not this person's to take back.
    if ((await deleteOwnClosing(tx, [workspace_id, id, user_id])).length === 0) throw new Refusal('changed_meanwhile');
    await updateConversation(tx, clock, conversation, { status: 'open' }, { actor });
  } else if (status === 'closed') {
    throw invalid({ detail: 'may be open alone', pointer: '/restored/status' });
  }
  if (snoozed_until !== undefined) {
    const moment = snoozed_until === null ? null : momentOf(snoozed_until);
    if (moment === undefined || Number.isNaN(moment?.getTime())) {
      throw invalid({ detail: 'is no moment', pointer: '/restored/snoozed_until' });
    }
    await updateConversation(tx, clock, conversation, { snoozed_until: moment }, { actor });
    if (moment) await enqueueJobs(tx, [wakeConversationJob({ workspace_id, conversation_id: id }, moment)]);
  }
  await setConversationStage(tx, clock, conversation, { ...(stage_id !== undefined && { stage_id }) }, actor);
  await assignConversation(tx, clock, conversation, assignment, actor);
}

function hasStill(present: Present, { assignee_id, team_id, stage_id, snoozed_until, status }: Restorable): boolean {
  const assignee = present.assignee_id && publicId('user', present.assignee_id);
  const team = present.team_id && publicId('team', present.team_id);
  const stage = present.stage_id && publicId('stage', present.stage_id);
  const wakesAt = snoozed_until ? Date.parse(snoozed_until) : null;
  return (
    (assignee_id === undefined || assignee_id === assignee) &&
    (team_id === undefined || team_id === team) &&
    (stage_id === undefined || stage_id === stage) &&
    (snoozed_until === undefined || wakesAt === (present.snoozed_until?.getTime() ?? null)) &&
    (status === undefined || status === present.status)
  );
}
