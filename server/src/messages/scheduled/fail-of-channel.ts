import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';

interface ChannelKey {
  workspace_id: string;
  channel_id: string;
}

const ofChannel = `scheduled_messages s
  join conversations c on c.workspace_id = s.workspace_id and c.id = s.conversation_id
  where s.workspace_id = $1 and s.state = 'scheduled' and c.channel_id = $2`;

const countScheduled = statement<{ count: number }>(`select count(*)::int as count from ${ofChannel}`);

/** How many messages of a channel wait for their time. */
export async function countOfChannel(
  connection: Connection,
  { workspace_id, channel_id }: ChannelKey,
): Promise<number> {
  return (await countScheduled(connection, [workspace_id, channel_id]))[0]!.count;
}

const failScheduled = statement<{ id: string }>(`
  update scheduled_messages set state = 'failed', failure_code = 'channel_disconnected', version = version + 1, changed_at = $3
  where workspace_id = $1 and id = any (array(select s.id from ${ofChannel} order by s.id for update of s))
  returning id`);

/** Fails those of a channel that was disconnected: nobody expects them to go out after it is connected again. */
export async function failOfChannel(
  tx: Transaction,
  clock: Clock,
  { workspace_id, channel_id }: ChannelKey,
): Promise<number> {
  return (await failScheduled(tx, [workspace_id, channel_id, clock.now()])).length;
}
