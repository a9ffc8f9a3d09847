import { beginRun, continueRun } from '../../automation/jobs.ts';
import { moveProposals } from '../../automation/proposals.ts';
import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { type PassedControl, passControl } from '../../conversations/contact-conversations.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { deleteJobsNaming, replaceInJobs } from '../../jobs/jobs-naming.ts';

const deleteRuns = statement(`delete from workflow_runs where workspace_id = $1 and contact_id = $2`);

const deleteEnded = statement(`
  delete from workflow_runs where workspace_id = $1 and conversation_id = $2 and status <> 'running'`);

/** Deletes the ended runs of a conversation, with the records of their steps. */
export async function deleteEndedRuns(tx: Transaction, workspace_id: string, conversation_id: string): Promise<void> {
  await deleteEnded(tx, [workspace_id, conversation_id]);
}

const moveRuns = statement(`
  update workflow_runs set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

// Replies arrive in the conversation that stays current. Runs of the other conversation continue there, unless a bot
// controls it.
const moveConversations = statement<PassedControl & { has_control: boolean }>(`
  update workflow_runs r set conversation_id = kept.id
  from conversations other join conversations kept on kept.workspace_id = other.workspace_id
    and kept.contact_id = other.contact_id and kept.channel_id = other.channel_id and kept.is_current
  where r.workspace_id = $1 and r.contact_id = $2 and r.status = 'running' and kept.controller = 'human'
    and other.workspace_id = r.workspace_id and other.id = r.conversation_id and not other.is_current
  returning r.id as run_id, r.has_control, other.id as from_id, kept.id as to_id`);

/**
 * Erases or moves the runs of a contact, with the records of their steps and the jobs that begin or continue them. The code
 * that advances a run locks its contact, so no run advances at the same time.
 */
export const workflowRunsHolder: ContactHolder = {
  async erase(tx, { workspace_id, contact_id, conversation_ids }) {
    await deleteRuns(tx, [workspace_id, contact_id]);
    await deleteJobsNaming(tx, [beginRun, continueRun], workspace_id, [contact_id, ...conversation_ids]);
  },
  async merge(tx, { workspace_id, survivor_id, source_id }) {
    await moveRuns(tx, [workspace_id, survivor_id, source_id]);
    const moved = await moveConversations(tx, [workspace_id, survivor_id]);
    await moveProposals(tx, workspace_id, moved);
    const passed = moved.filter(({ has_control }) => has_control);
    await passControl(tx, workspace_id, passed);
    await replaceInJobs(tx, beginRun, workspace_id, source_id, survivor_id);
  },
};
