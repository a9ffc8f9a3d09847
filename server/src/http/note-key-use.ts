import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';

/** A key as a request carried it. */
export interface UsedKey {
  workspace_id: string;
  key_id: string;
  last_used_at: Date | null;
}

const accuracyMs = 60_000;

// A key that is being revoked is skipped: no request waits for its row.
const setUse = statement(`
  update api_keys k set last_used_at = $3
  from (select workspace_id, id from api_keys where workspace_id = $1 and id = $2 for no key update skip locked) as free
  where k.workspace_id = free.workspace_id and k.id = free.id`);

/**
 * Stores when keys are used, once a minute for each: a write for each request would cost more than the request. The request does
 * not wait for it. A write that fails is made by the next request.
 */
export function createNoteKeyUse(pool: Pool, clock: Pick<Clock, 'now' | 'nowMs'>): (key: UsedKey) => void {
  const underWay = new Set<string>();
  return ({ workspace_id, key_id, last_used_at }) => {
    const isRecent = last_used_at !== null && Math.abs(clock.nowMs() - last_used_at.getTime()) < accuracyMs;
    if (isRecent || underWay.has(key_id)) return;
    underWay.add(key_id);
    void setUse(pool, [workspace_id, key_id, clock.now()])
      .catch(() => {})
      .finally(() => underWay.delete(key_id));
  };
}
