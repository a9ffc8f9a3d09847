import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import type { KeyCaller } from './authenticate.ts';
import { freshMs } from './body/check-again.ts';
import { Refusal } from './reply/refusal.ts';

const findLive = statement<{ scopes: string[] }>(`
  select scopes from api_keys where workspace_id = $1 and id = $2 and revoked_at is null`);

/** Refuses a request whose key was revoked or lost a scope after the pipeline found it: a body may take minutes to arrive. */
export async function holdKey(
  connection: Connection,
  clock: Pick<Clock, 'nowMs'>,
  { workspace_id, key_id, scopes, found_ms }: KeyCaller,
): Promise<void> {
  if (clock.nowMs() - found_ms < freshMs) return;
  const [live] = await findLive(connection, [workspace_id, key_id]);
  if (!live) throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
  const lost = scopes.find((scope) => !live.scopes.includes(scope));
  if (!lost) return;
  throw new Refusal('insufficient_scope', { detail: `The key lost the scope ${lost} at this moment. Try again.` });
}
