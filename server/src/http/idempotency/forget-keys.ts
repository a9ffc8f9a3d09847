import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';

export const forgetKeys = 'http.forget_keys';

const hourSeconds = 3_600;
const portion = 5_000;

const deleteOld = statement<{ key: string }>(`
  with old as materialized (
    select workspace_id, operation, key from idempotency_keys
    where created_at < $1 order by created_at limit $2 for update skip locked
  )
  delete from idempotency_keys k using old
  where k.workspace_id = old.workspace_id and k.operation = old.operation and k.key = old.key
  returning k.key`);

/** Every hour, deletes the idempotency keys older than the contract's 24 hours, with their answers. */
export function forgetKeysHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    const before = new Date(clock.nowMs() - limits.idempotency_key_seconds * 1000);
    while ((await deleteOld(pool, [before, portion])).length === portion);
  }
  return repeatJob({ pool, clock, config }, { kind: forgetKeys, every_seconds: hourSeconds, perform });
}
