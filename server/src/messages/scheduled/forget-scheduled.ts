import { statement } from '../../database/query.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { forgetScheduled } from '../jobs.ts';

const hourSeconds = 3_600;
const dayMs = 86_400_000;
const endedDays = 7;
const failedDays = 90;
const atOnce = 1_000;

// A file that nothing names any more goes with the daily sweep.
const deleteOld = statement<{ count: number }>(`
  with old as materialized (
    select workspace_id, id from scheduled_messages
    where changed_at < $1 and state <> 'scheduled' and (state <> 'failed' or changed_at < $2)
    order by changed_at limit $3 for update skip locked
  ), gone as (
    delete from scheduled_messages s using old where s.workspace_id = old.workspace_id and s.id = old.id returning s.id
  )
  select count(*)::int as count from gone`);

/** Every hour, deletes those that were sent or cancelled a week ago, and failed ones that nobody touched for 90 days. */
export function forgetScheduledHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    const before = (days: number) => new Date(clock.nowMs() - days * dayMs);
    const bounds = [before(endedDays), before(failedDays), atOnce];
    while ((await deleteOld(pool, bounds))[0]!.count === atOnce);
  }
  return repeatJob({ pool, clock, config }, { kind: forgetScheduled, every_seconds: hourSeconds, perform });
}
