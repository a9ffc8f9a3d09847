import { limits } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import { invalid } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { findListed, listAttempts } from '../webhook-endpoints/manage/read-endpoints.ts';
import { presentAttempt } from '../webhook-endpoints/present.ts';

const pageSize = 1_000;

/** Lists the attempts of an endpoint with the reasons of failures, latest first: a page of 1,000 behind the attempt `after`. */
export async function readDeliveries(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  { workspace_id, id }: { workspace_id: string; id: string },
  given: string | undefined,
): Promise<{ data: object[]; has_more: boolean }> {
  const since = new Date(clock.nowMs() - limits.webhook.delivery_history_seconds * 1000);
  const after = given === undefined ? undefined : await findPosition(String(given));
  const rows = await listAttempts(pool, workspace_id, id, { since, after, count: pageSize + 1 });
  const data = rows
    .slice(0, pageSize)
    .map((row) => ({ ...presentAttempt(row), ...(row.reason !== null && { reason: row.reason }) }));
  return { data, has_more: rows.length > pageSize };

  async function findPosition(attempt: string) {
    const attempt_id = parseId('webhook_attempt', attempt);
    const listed = attempt_id && (await findListed(pool, workspace_id, id, attempt_id));
    if (!listed) throw invalid({ detail: 'names no attempt of this endpoint', pointer: '/after' });
    return listed;
  }
}
