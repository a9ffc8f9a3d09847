import { beginRun, continueRun } from '../../automation/jobs.ts';
import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { statement } from '../../database/query.ts';

const deleteRuns = statement(`delete from workflow_runs where workspace_id = $1 and contact_id = $2`);

// By what stands in them: they are few, and those of a workspace lie together in the index of jobs.
const deleteJobs = statement(`
  with waiting as materialized (
    select id from jobs
    where kind = any ($2) and group_id = $1 and exists (select from unnest($3::text[]) as name where strpos(payload, name) > 0)
    order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

const moveRuns = statement(`
  update workflow_runs set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

// Answers come into the conversation that stays current, so what is under way in the other goes on there, unless a bot is
// at work in it.
const followCustomer = statement(`
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
 * The runs for a contact go with them, what their steps brought included, and so does what waits to begin one. Whoever
 * moves a run holds its contact, so none is under way meanwhile.
 */
export const runsOfContacts: ContactHolder = {
  async erase(tx, { workspace_id, contact_id, conversation_ids }) {
    await deleteRuns(tx, [workspace_id, contact_id]);
    await deleteJobs(tx, [workspace_id, [beginRun, continueRun], [contact_id, ...conversation_ids]]);
  },
  async merge(tx, { workspace_id, survivor_id, source_id }) {
    await moveRuns(tx, [workspace_id, survivor_id, source_id]);
    await followCustomer(tx, [workspace_id, survivor_id]);
    await moveJobs(tx, [workspace_id, beginRun, survivor_id, source_id]);
  },
};
