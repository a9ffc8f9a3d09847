import { limits } from '@majlis/contract';
import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { forgetEvents as deleteEvents } from '../../events/forget-events.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { deleteOld } from '../jobs.ts';
import { deleteAttempts, forgetOldSecrets } from '../queries.ts';

const hourSeconds = 3_600;
const batchSize = 1_000;

const selectEndpoints = statement<{ workspace_id: string; endpoint_id: string }>(`
  select workspace_id, id as endpoint_id from webhook_endpoints order by workspace_id, id`);
const selectWorkspaces = statement<{ id: string }>(`select id from workspaces order by id`);

/** Every hour, deletes events and attempts older than 30 days, in batches, and secrets that were replaced. */
export function deleteOldHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    await forgetOldSecrets(pool, clock.now());
    const before = new Date(clock.nowMs() - limits.webhook.delivery_history_seconds * 1000);
    for (const endpoint of await selectEndpoints(pool, [])) {
      await untilFewer(() => deleteAttempts(pool, { ...endpoint, before, limit: batchSize }));
    }
    for (const { id } of await selectWorkspaces(pool, [])) await deleteWorkspaceEvents(pool, id, before);
  }
  return repeatJob({ pool, clock, config }, { kind: deleteOld, every_seconds: hourSeconds, perform });
}

function deleteWorkspaceEvents(pool: Pool, workspace_id: string, before: Date): Promise<void> {
  return untilFewer(() => deleteEvents(pool, { workspace_id, before, limit: batchSize }));
}

async function untilFewer(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) === batchSize);
}
