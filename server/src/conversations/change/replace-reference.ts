import { statement } from '../../database/query.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { type Replacement, readReplacement, replaceReferenceJob, replaceReferenceKind } from '../jobs.ts';
import { recordChanges } from './record-changes.ts';

const atOnce = 500;

// Any rows, then their locks in the order of all writers.
const replaceIn = (column: 'team_id' | 'stage_id' | 'assignee_id', portion = `${column} = $2`) =>
  statement<{ id: string; status: string; is_present: boolean }>(`
  with portion as materialized (
    select id from conversations where workspace_id = $1 and ${portion} limit ${atOnce}
  ), locked as materialized (
    select c.id from conversations c where c.workspace_id = $1 and c.id in (select id from portion)
    order by c.id for no key update of c
  )
  update conversations c set ${column} = $3 from locked
  where c.workspace_id = $1 and c.id = locked.id and c.${column} = $2
  returning c.id, c.status, c.contact_id is not null as is_present`);
const replace = {
  team: replaceIn('team_id'),
  stage: replaceIn('stage_id'),
  // As the index has it, the open ones first.
  user: replaceIn(
    'assignee_id',
    `coalesce(assignee_id, '00000000-0000-0000-0000-000000000000') = $2 order by status desc`,
  ),
};
const kinds = { team: 'team_assigned', stage: 'stage_set', user: 'assigned' } as const;

/**
 * Takes a removed team, stage or member from some of their conversations, or gives these another one. It starts no workflows: the
 * conversations have not moved, their list has changed. Answers whether some may be left.
 */
async function replaceSome(tx: Transaction, clock: Clock, replacement: Replacement): Promise<boolean> {
  const { workspace_id, of, from_id, to_id, actor } = replacement;
  const rows = await replace[of](tx, [workspace_id, from_id, to_id]);
  // Nobody waits for an answer in a closed one: that a member has left is no news of it.
  const present = rows.filter(({ is_present, status }) => is_present && (of !== 'user' || status === 'open'));
  const lines = present.map(({ id }) => ({ conversation_id: id, kind: kinds[of], value_id: to_id }));
  await recordChanges(tx, clock, workspace_id, actor, lines);
  return rows.length === atOnce;
}

/** The first conversations change with the removal; a job changes the others. */
export async function replaceReference(tx: Transaction, clock: Clock, replacement: Replacement): Promise<void> {
  const isMore = await replaceSome(tx, clock, replacement);
  if (isMore) await enqueueJobs(tx, [replaceReferenceJob(replacement, clock.now())]);
}

export function replaceReferenceHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      const isMore = await replaceSome(tx, clock, readReplacement(job.payload));
      if (isMore) await retry(tx, [{ job, run_at: clock.now(), failed: false }]);
      else await finish(tx, [job]);
    });
    return { type: 'finished' };
  }
  return { kind: replaceReferenceKind, concurrency: 2, group_concurrency: 1, starts_at_claim: true, run };
}
