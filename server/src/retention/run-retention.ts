import { publicId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import { transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { holdLease } from '../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { retry } from '../jobs/queries.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import { supersede } from '../jobs/supersede.ts';
import type { Resources } from '../process/resources.ts';
import { deleteExpired } from './delete-expired.ts';
import { expiryOf, listOld } from './find-expired.ts';
import {
  always,
  applyRetention,
  deleteConversations,
  deleteConversationsJob,
  readPosition,
  writePosition,
} from './jobs.ts';
import { findRetention } from './retention-settings.ts';

const hourSeconds = 3_600;
// Some seconds at most. Then other workspaces have a turn.
const batch = 50;

const selectDue = statement<{ workspace_id: string }>(`
  select s.workspace_id from retention_settings s
  where s.conversation_days is not null
    and not exists (select from jobs j where j.kind = $1 and j.group_id = s.workspace_id)
  order by s.workspace_id`);

/** Every hour, has the expired conversations of each workspace deleted. A deletion that still goes on is not begun again. */
export function applyRetentionHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    const due = await selectDue(pool, [deleteConversations]);
    const jobs = due.map(({ workspace_id }) => deleteConversationsJob(workspace_id));
    await transaction(pool, (tx) => enqueueJobs(tx, jobs));
  }
  return repeatJob({ pool, clock, config }, { kind: applyRetention, every_seconds: hourSeconds, perform });
}

/**
 * Deletes expired conversations, each in a transaction of its own, the oldest first. A job deletes one batch and waits for its next
 * turn, so workspaces take turns. Of a killed process, the next one goes on.
 */
export function deleteConversationsHandler({ config, pool, clock, log }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const workspace_id = job.group_id;
    if (!(await supersede(pool, job))) return { type: 'done' };
    const days = await findRetention(pool, workspace_id);
    if (days == null) return { type: 'done' };
    const after = readPosition(job.payload);
    const old = await listOld(pool, expiryOf(clock, workspace_id, days), { after, count: batch });
    let deleted = 0;
    for (const { id, is_expired } of old) {
      if (is_expired && (await deleteExpired(pool, clock, { workspace_id, id }))) deleted++;
    }
    if (deleted > 0) {
      log.info({ workspace_id: publicId('workspace', workspace_id), deleted, days }, 'conversations have expired');
    }
    const last = old.at(-1);
    if (!last || old.length < batch) return { type: 'done' };
    await retry(pool, [{ job, run_at: always, failed: false, payload: writePosition(last) }]);
    return { type: 'finished' };
  }
  return {
    kind: deleteConversations,
    concurrency: 2,
    group_concurrency: 1,
    run: (job) => holdLease(pool, job, config.leaseSeconds, () => run(job)),
  };
}
