import { beginRun, continueRun } from '../../automation/jobs.ts';
import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { statement } from '../../database/query.ts';

const deleteRuns = statement(`delete from workflow_runs where workspace_id = $1 and contact_id = $2`);

// Finds the jobs by their payload: a workspace has few of them, side by side in the index of jobs.
const deleteJobs = statement(`
  with waiting as materialized (
    select id from jobs
    where kind = any ($2) and group_id = $1 and exists (select from unnest($3::text[]) as name where strpos(payload, name) > 0)
    order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

const moveRuns = statement(`
  update workflow_runs set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

// Replies arrive in the conversation that stays current. Runs of the other conversation continue there, unless a bot
// controls it.
const moveConversations = statement(`
  with moved as (
    update workflow_runs r set conversation_id = kept.id
    from conversations other join conversations kept on kept.workspace_id = other.workspace_id
      and kept.contact_id = other.contact_id and kept.channel_id = other.channel_id and kept.is_current
    where r.workspace_id = $1 and r.contact_id = $2 and r.status = 'running' and kept.controller = 'human'
      and other.workspace_id = r.workspace_id and other.id = r.conversation_id and not other.is_current
    returning r.id, r.has_control, other.id as other_id, kept.id as kept_id
  )
  update conversations c set controller = case when c.id = m.kept_id then 'bot' else 'human' end,
    workflow_run_id = case when c.id = m.kept_id then m.id end
  from moved m where c.workspace_id = $1 and c.id in (m.kept_id, m.other_id) and m.has_control`);
const moveJobs = statement(`
  update jobs set payload = replace(payload, $4, $3)
  where kind = $2 and group_id = $1 and strpos(payload, $4) > 0`);

/**
 * Erases or moves the runs of a contact, with the records of their steps and the jobs that begin or continue them. The code
 * that advances a run locks its contact, so no run advances at the same time.
 */
export const workflowRunsHolder: ContactHolder = {
  async erase(tx, { workspace_id, contact_id, conversation_ids }) {
    await deleteRuns(tx, [workspace_id, contact_id]);
    await deleteJobs(tx, [workspace_id, [beginRun, continueRun], [contact_id, ...conversation_ids]]);
  },
  async merge(tx, { workspace_id, survivor_id, source_id }) {
    await moveRuns(tx, [workspace_id, survivor_id, source_id]);
    await moveConversations(tx, [workspace_id, survivor_id]);
    await moveJobs(tx, [workspace_id, beginRun, survivor_id, source_id]);
  },
};
