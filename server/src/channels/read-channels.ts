import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import type { ChannelRow } from './present.ts';

/** Lists all channels of the workspace, the oldest first. */
export function listChannels(connection: Connection, workspace_id: string): Promise<ChannelRow[]> {
  return run(connection, channelsOf(workspace_id).orderBy('created_at').orderBy('id'));
}

export function findChannel(connection: Connection, workspace_id: string, id: string): Promise<ChannelRow | undefined> {
  return runFirst(connection, channelsOf(workspace_id).where('id', '=', id));
}

function channelsOf(workspace_id: string) {
  return build
    .selectFrom('channels')
    .select(['id', 'type', 'status', 'name', 'display_phone', 'verified_name'])
    .select([
      'quality',
      'waba_id',
      'phone_number_id',
      'created_at',
      'access_token',
      'app_secret',
      'disconnected_at',
      'fault',
    ])
    .where('workspace_id', '=', workspace_id);
}
