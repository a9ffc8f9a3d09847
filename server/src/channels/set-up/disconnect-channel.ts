import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { changeSetup } from '../queries.ts';
import { lockChannelState, versionOf } from './read-channel-states.ts';

interface Context {
  clock: Clock;
  secretBox: SecretBox;
}

/**
 * Disconnects a channel and forgets its access token. The app secret stays, so that notifications which still come are known as
 * the platform's and acknowledged. Waiting messages and broadcasts are for the caller.
 */
export async function disconnectChannel(
  tx: Transaction,
  { clock, secretBox }: Context,
  { workspace_id, id, version }: { workspace_id: string; id: string; version: string },
): Promise<void> {
  const before = await lockChannelState(tx, workspace_id, id);
  if (!before) throw new Refusal('not_found');
  if (before.disconnected_at || versionOf(before) !== version) throw new Refusal('changed_meanwhile');
  const now = clock.now();
  await changeSetup(tx, workspace_id, id, {
    access_token: secretBox.seal('', 'channels.access_token'),
    fault: null,
    fault_until: null,
    disconnected_at: now,
    changed_at: now,
  });
}
