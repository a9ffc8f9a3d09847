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
import { dispatchKinds, eraseHistory, eraseHistoryJob, readErasedHistory } from './jobs.ts';

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
  eraseRest: eraseRestOf,
};

/** Deletes the newest messages, some events, and files that only these messages named. Returns whether nothing is left. */
async function eraseStep(tx: Transaction, workspace_id: string, conversation_id: string): Promise<boolean> {
  await lockNewest(tx, [workspace_id, conversation_id, stepRows]);
  const [deleted] = await deleteNewest(tx, [workspace_id, conversation_id, stepRows]);
  const { count, received, sent } = deleted!;
  const events = await eraseEvents(tx, workspace_id, conversation_id, stepRows);
  await removeReceived(tx, workspace_id, received ?? []);
  await removeUploads(tx, workspace_id, sent?.filter((id) => !received?.includes(id)) ?? []);
  return count < stepRows && events < stepRows;
}

/** Deletes the history of a conversation whose contact is erased, then the conversation. Several callers take turns. */
async function eraseRestOf(pool: Pool, workspace_id: string, conversation_id: string): Promise<void> {
  let isErased = false;
  while (!isErased) {
    isErased = await transaction(pool, async (tx) => {
      // Waits for transactions that still store messages in it.
      if (!(await lockErasedConversation(tx, workspace_id, conversation_id))) return true;
      if (!(await eraseStep(tx, workspace_id, conversation_id))) return false;
      // A send that had found the conversation before the erasure stored its message and its answer since.
      await eraseConversationAnswers(tx, workspace_id, [conversation_id]);
      await deleteErasedConversation(tx, workspace_id, conversation_id);
      await cancelQueues(tx, eraseHistory, [conversation_id]);
      return true;
    });
  }
}

/** Completes an erasure whose request ended early. */
export function eraseHistoryHandler({ pool }: Resources): JobHandler {
  return {
    kind: eraseHistory,
    concurrency: 2,
    group_concurrency: 1,
    async run(job) {
      const { workspace_id, conversation_id } = readErasedHistory(job.payload);
      await eraseRestOf(pool, workspace_id, conversation_id);
      return { type: 'done' };
    },
  };
}
