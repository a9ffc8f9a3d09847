import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { webhookKinds } from './jobs.ts';

const countForeign = statement<{ count: number }>(`
  select count(*)::int as count from jobs j
  where j.kind = any ($1)
    and not exists (select from channels c where encode(c.app_secret_fingerprint, 'hex') = split_part(j.payload, E'\n', 1))`);

/** Counts the waiting notifications whose signer no channel has: after all channels are sealed anew, those of an old key. */
export async function countNotificationsOfOldKeys(connection: Connection): Promise<number> {
  return (await countForeign(connection, [webhookKinds]))[0]!.count;
}
