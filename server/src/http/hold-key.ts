import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import type { KeyCaller } from './authenticate.ts';
import { Refusal } from './reply/refusal.ts';

const findLive = statement<{ id: string }>(`
  select id from api_keys where workspace_id = $1 and id = $2 and revoked_at is null`);

// Most bodies arrive sooner, and their writes pay for no second look-up.
const freshMs = 1_000;

/** Refuses a write whose key was revoked after the pipeline found it: a body may take minutes to arrive. */
export async function holdKey(
  connection: Connection,
  clock: Pick<Clock, 'nowMs'>,
  { workspace_id, key_id, found_ms }: KeyCaller,
): Promise<void> {
  if (clock.nowMs() - found_ms < freshMs) return;
  const [live] = await findLive(connection, [workspace_id, key_id]);
  if (!live) throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
}
