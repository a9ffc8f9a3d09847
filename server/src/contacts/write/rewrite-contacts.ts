import { statement } from '../../database/query.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { contactUpdated } from '../events.ts';
import {
  type ContactRewrite,
  type Rewriting,
  readContactRewrite,
  rewriteContactsJob,
  rewriteContactsKind,
} from '../jobs.ts';

/** The contacts that a statement reads. It changes those among them that have the value. */
const atOnce = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

const rewriteBy = (condition: string, change: string) =>
  statement<{ last: string | null; count: number; changed: string[] }>(`
  with portion as materialized (
    select id from contacts where workspace_id = $1 and id > $2 order by id limit ${atOnce}
  ), held as materialized (
    select c.id from contacts c where c.workspace_id = $1 and c.id in (select id from portion) and ${condition}
    order by c.id for no key update of c
  ), changed as (
    update contacts c set ${change} from held where c.workspace_id = $1 and c.id = held.id and ${condition} returning c.id
  )
  select max(id::text)::uuid as last, count(*)::int as count, array(select id from changed) as changed from portion`);

const replaceTag = rewriteBy(
  'c.tags @> array[$3::text]',
  `tags = case when $4::text is null or c.tags @> array[$4::text] then array_remove(c.tags, $3::text)
    else array_replace(c.tags, $3::text, $4::text) end`,
);
const replaceStage = rewriteBy('c.stage_id = $3::uuid', 'stage_id = $4::uuid');
const removeField = rewriteBy(
  'c.custom_fields -> $3::text is not null',
  `custom_fields = coalesce((select json_object_agg(e.key, e.value) from json_each(c.custom_fields) e
    where e.key <> $3::text), '{}')`,
);
const selectField = statement('select from custom_fields where workspace_id = $1 and key = $2');

/** Undefined after the last contacts. */
async function rewriteSome(tx: Transaction, clock: Clock, rewrite: ContactRewrite): Promise<string | undefined> {
  const { workspace_id, rewriting, after } = rewrite;
  const [done] = await perform(tx, workspace_id, after ?? first, rewriting);
  const { last, count, changed } = done!;
  const more = [{ tag: 'tags', stage: 'stage_id', custom_field: 'custom_fields' }[rewriting.of]];
  const events = changed.flatMap((id) => contactUpdated({ workspace_id, id }, { before: {}, after: {}, more }));
  await recordEvents(tx, clock, events);
  return count === atOnce ? last! : undefined;
}

function perform(tx: Transaction, workspace_id: string, after: string, rewriting: Rewriting) {
  switch (rewriting.of) {
    case 'tag':
      return replaceTag(tx, [workspace_id, after, rewriting.from, rewriting.to]);
    case 'stage':
      return replaceStage(tx, [workspace_id, after, rewriting.from, rewriting.to]);
    case 'custom_field':
      return removeField(tx, [workspace_id, after, rewriting.from]);
  }
}

/**
 * Replaces a value in all contacts: in the first ones now, in the others by a job, in portions. It starts no workflows, because
 * nothing happened to the contacts.
 */
export async function rewriteContacts(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  rewriting: Rewriting,
): Promise<void> {
  const after = await rewriteSome(tx, clock, { workspace_id, rewriting, after: null });
  if (after) await enqueueJobs(tx, [rewriteContactsJob({ workspace_id, rewriting, after }, clock.now())]);
}

export function rewriteContactsHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      const rewrite = readContactRewrite(job.payload);
      // A field with the key was made again: its new values stay.
      const isMadeAgain =
        rewrite.rewriting.of === 'custom_field' &&
        (await selectField(tx, [rewrite.workspace_id, rewrite.rewriting.from])).length > 0;
      const after = isMadeAgain ? undefined : await rewriteSome(tx, clock, rewrite);
      const payload = after && JSON.stringify({ ...rewrite, after });
      if (payload) await retry(tx, [{ job, run_at: clock.now(), failed: false, payload }]);
      else await finish(tx, [job]);
    });
    return { type: 'finished' };
  }
  return { kind: rewriteContactsKind, concurrency: 2, group_concurrency: 1, starts_at_claim: true, run };
}
