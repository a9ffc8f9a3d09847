import { type Broadcast, limits, operations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { cancelBroadcast } from './cancel-broadcast.ts';
import { createBroadcast } from './create-broadcast.ts';
import { presentBroadcast } from './present.ts';
import { findBroadcast, listBroadcasts, listRecipients } from './read-broadcasts.ts';

export function broadcastRoutes(serve: Serve, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve.read(operations.listBroadcasts, async ({ caller: { workspace_id }, query }) => {
    return readPage(
      resources,
      { workspace_id, scope: operations.listBroadcasts.id, cursor: query.cursor },
      {
        fetch: (after, count) => listBroadcasts(pool, workspace_id, { before: after?.[0], count }),
        positionOf: ({ id }) => [id],
        present: (row) => presentBroadcast(row),
      },
    );
  });

  serve.read(operations.getBroadcast, ({ caller: { workspace_id }, params }) =>
    getBroadcast(pool, workspace_id, readId(params)),
  );

  serve.write(operations.createBroadcast, async (tx, { caller, body }) => {
    const { workspace_id } = caller;
    const id = await withinQuota(tx, config.quotas, { workspace_id, kind: 'broadcasts' }, () =>
      createBroadcast(tx, clock, caller, body),
    );
    return { status: 201, body: await getBroadcast(tx, workspace_id, id) };
  });

  serve.write(operations.cancelBroadcast, async (tx, { caller: { workspace_id }, params }) => {
    const id = readId(params);
    await cancelBroadcast(tx, clock, workspace_id, id);
    return { status: 200, body: await getBroadcast(tx, workspace_id, id) };
  });
}

function readId({ broadcast_id }: { broadcast_id: string }): string {
  const id = parseId('broadcast', broadcast_id);
  if (!id) throw new Refusal('not_found');
  return id;
}

async function getBroadcast(connection: Connection, workspace_id: string, id: string): Promise<Broadcast> {
  const row = await findBroadcast(connection, workspace_id, id);
  if (!row) throw new Refusal('not_found');
  if (row.tags || row.stage_id) return presentBroadcast(row);
  const all = { after: -1, count: limits.broadcast_recipients };
  return presentBroadcast(row, await listRecipients(connection, workspace_id, id, all));
}
