import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { deleteErasedConversation, lockErasedConversation } from '../conversations/contact-conversations.ts';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { eraseEvents } from '../events/erase-events.ts';
import { eraseConversationAnswers } from '../http/idempotency/erase-answers.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { JobHandler } from '../jobs/job.ts';
import { cancelQueues } from '../jobs/queues.ts';
import { removeReceived, removeUploads } from '../media/remove-media.ts';
import type { Resources } from '../process/resources.ts';
import { dispatchKinds, eraseHistory, eraseHistoryJob, type HistoryEnd, readErasedHistory } from './jobs.ts';

// One transaction deletes so many messages and events, which takes a fraction of a second.
const stepRows = 5_000;

// The newest first: the message that brought a file is older than its further sends, so the file goes with it. Rows are locked by
// id, as for statuses. A join by id reads the whole workspace for each row where the planner expects few rows.
const newest = `
  from messages
  where workspace_id = $1 and conversation_id = $2 and id >= coalesce((
    select id from messages where workspace_id = $1 and conversation_id = $2 order by id desc offset $3 - 1 limit 1),
    '00000000-0000-0000-0000-000000000000')
  order by id for update`;
// A statement of its own: the deletion does not see a row that a status changed while the lock was awaited.
const lockNewest = statement(`select ${newest}`);
const deleteNewest = statement<{ count: number; received: string[] | null; sent: string[] | null }>(`
  with deleted as (
    delete from messages where workspace_id = $1 and ctid = any (array(select ctid ${newest}))
    returning media_id, direction
  )
  select count(*)::int as count,
    array_agg(distinct media_id) filter (where media_id is not null and direction = 'inbound') as received,
    array_agg(distinct media_id) filter (where media_id is not null and direction = 'outbound') as sent
  from deleted`);
// What was sent stays in the usage, by quarters of an hour: midnight of every time zone begins one.
const countNewest = statement(`
  insert into deleted_message_counts as d (workspace_id, quarter_at, sent)
  select $1, date_bin('15 minutes', created_at, 'epoch'), count(*)
  from messages where workspace_id = $1 and ctid = any (array(select ctid ${newest}))
    and direction = 'outbound' and kind <> 'note' and status in ('sent', 'delivered', 'read')
  group by 2 order by 2
  on conflict (workspace_id, quarter_at) do update set sent = d.sent + excluded.sent`);

/**
 * Erases the history of the contact's conversations: the messages, the waiting dispatches, the events that quote the
 * messages, and the files, in the lock order of the record of outcomes. A started dispatch finds no row to record in. What
 * exceeds a step is deleted after the commit, by the request and by a job that survives it.
 */
export const messagesOfContacts: ContactHolder = {
  async erase(tx, { workspace_id, conversation_ids, dispatches, unfinished }) {
    for (const id of conversation_ids) if (!(await eraseStep(tx, workspace_id, id))) unfinished.push(id);
    for (const kind of dispatchKinds) {
      for (const job of await cancelQueues(tx, kind, conversation_ids)) dispatches.push(job);
    }
    const jobs = unfinished.map((id) => eraseHistoryJob(workspace_id, id));
    await enqueueJobs(tx, jobs);
  },
  eraseRest: (pool, workspace_id, conversation_id) => eraseRestOf(pool, workspace_id, conversation_id),
};

/**
 * Deletes the newest messages, some events, and files that only these messages named. Returns whether nothing is left. Where only
 * the conversation expired, the contact stays: what was sent stays in the usage, and its files stay where others name them.
 */
async function eraseStep(
  tx: Transaction,
  workspace_id: string,
  conversation_id: string,
  reason: HistoryEnd = 'erased',
): Promise<boolean> {
  await lockNewest(tx, [workspace_id, conversation_id, stepRows]);
  if (reason === 'expired') await countNewest(tx, [workspace_id, conversation_id, stepRows]);
  const [deleted] = await deleteNewest(tx, [workspace_id, conversation_id, stepRows]);
  const { count, received, sent } = deleted!;
  const events = await eraseEvents(tx, workspace_id, conversation_id, stepRows);
  if (reason === 'erased') await removeReceived(tx, workspace_id, received ?? []);
  const uploads =
    reason === 'erased' ? sent?.filter((id) => !received?.includes(id)) : [...(sent ?? []), ...(received ?? [])];
  await removeUploads(tx, workspace_id, [...new Set(uploads)]);
  return count < stepRows && events < stepRows;
}

const leaveBroadcasts = statement(`
  update messages set broadcast_id = null
  where workspace_id = $1 and conversation_id = $2 and broadcast_id is not null`);

/**
 * Deletes the history of a locked conversation that expired, and returns whether nothing is left. The rest of a long history is
 * for a job; its recipients are counted already, so no broadcast counts its messages.
 */
export async function deleteHistory(
  tx: Transaction,
  { workspace_id, id }: Record<'workspace_id' | 'id', string>,
): Promise<boolean> {
  if (await eraseStep(tx, workspace_id, id, 'expired')) return true;
  await leaveBroadcasts(tx, [workspace_id, id]);
  await enqueueJobs(tx, [eraseHistoryJob(workspace_id, id, 'expired')]);
  return false;
}

/** Deletes the history of a detached conversation, then the conversation. Several callers take turns. */
async function eraseRestOf(
  pool: Pool,
  workspace_id: string,
  conversation_id: string,
  reason?: HistoryEnd,
): Promise<void> {
  let isErased = false;
  while (!isErased) {
    isErased = await transaction(pool, async (tx) => {
      // Waits for transactions that still store messages in it.
      if (!(await lockErasedConversation(tx, workspace_id, conversation_id))) return true;
      if (!(await eraseStep(tx, workspace_id, conversation_id, reason))) return false;
      // A send that had found the conversation before the erasure stored its message and its answer since.
      await eraseConversationAnswers(tx, workspace_id, [conversation_id]);
      await deleteErasedConversation(tx, workspace_id, conversation_id);
      await cancelQueues(tx, eraseHistory, [conversation_id]);
      return true;
    });
  }
}

/** Completes an erasure whose request ended early, and deletes the rest of a long history that expired. */
export function eraseHistoryHandler({ pool }: Resources): JobHandler {
  return {
    kind: eraseHistory,
    concurrency: 2,
    group_concurrency: 1,
    async run(job) {
      const { workspace_id, conversation_id, reason } = readErasedHistory(job.payload);
      await eraseRestOf(pool, workspace_id, conversation_id, reason);
      return { type: 'done' };
    },
  };
}
