import { operations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { presentChannel } from './present.ts';
import { findChannel, listChannels } from './read-channels.ts';

export function channelRoutes(serve: Serve, { pool, secretBox }: Resources): void {
  serve.read(operations.listChannels, async ({ caller }) => {
    const rows = await listChannels(pool, caller.workspace_id);
    return { data: rows.map((row) => presentChannel(row, secretBox)) };
  });

  serve.read(operations.getChannel, async ({ caller, params }) => {
    const id = parseId('channel', params.channel_id);
    const row = id && (await findChannel(pool, caller.workspace_id, id));
    if (!row) throw new Refusal('not_found');
    return presentChannel(row, secretBox);
  });
}
