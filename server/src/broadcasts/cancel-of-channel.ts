import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { cancelBroadcast } from './cancel-broadcast.ts';

interface ChannelKey {
  workspace_id: string;
  channel_id: string;
}

const selectRunning = statement<{ id: string }>(`
  select id from broadcasts where workspace_id = $1 and channel_id = $2 and status in ('scheduled', 'sending') order by id`);

/** The scheduled and sending broadcasts of a channel. */
export async function listRunning(connection: Connection, { workspace_id, channel_id }: ChannelKey): Promise<string[]> {
  return (await selectRunning(connection, [workspace_id, channel_id])).map(({ id }) => id);
}

/** Cancels the broadcasts of a channel that sends no more. Answers their number. */
export async function cancelOfChannel(tx: Transaction, clock: Clock, channel: ChannelKey): Promise<number> {
  const ids = await listRunning(tx, channel);
  for (const id of ids) await cancelBroadcast(tx, clock, channel.workspace_id, id);
  return ids.length;
}
