import { limits } from '@majlis/contract';
import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { forgetEvents as deleteEvents } from '../../events/forget-events.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { forgetOld } from '../jobs.ts';
import { forgetAttempts } from '../queries.ts';

const hourSeconds = 3_600;
const portion = 1_000;

const selectEndpoints = statement<{ workspace_id: string; endpoint_id: string }>(`
  select workspace_id, id as endpoint_id from webhook_endpoints order by workspace_id, id`);
const selectWorkspaces = statement<{ id: string }>(`select id from workspaces order by id`);

/** Every hour: events and attempts that are older than 30 days go, a portion at a time. */
export function forgetOldHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    const before = new Date(clock.nowMs() - limits.webhook.delivery_history_seconds * 1000);
    for (const endpoint of await selectEndpoints(pool, [])) {
      await untilFewer(() => forgetAttempts(pool, { ...endpoint, before, limit: portion }));
    }
    for (const { id } of await selectWorkspaces(pool, [])) await forgetOf(pool, id, before);
  }
  return repeatJob({ pool, clock, config }, { kind: forgetOld, every_seconds: hourSeconds, perform });
}

function forgetOf(pool: Pool, workspace_id: string, before: Date): Promise<void> {
  return untilFewer(() => deleteEvents(pool, { workspace_id, before, limit: portion }));
}

async function untilFewer(forget: () => Promise<number>): Promise<void> {
  while ((await forget()) === portion);
}
