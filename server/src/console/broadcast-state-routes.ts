import { type BroadcastDetails, consoleOperations } from '@majlis/console-api';
import { listFailures } from '../broadcasts/list-failures.ts';
import { pauseBroadcast, resumeBroadcast } from '../broadcasts/pause-broadcast.ts';
import { presentDetails, presentState } from '../broadcasts/present-state.ts';
import { previewBroadcast } from '../broadcasts/preview-broadcast.ts';
import { findBroadcast, hasBroadcast, listBroadcasts } from '../broadcasts/read-broadcasts.ts';
import {
  listRecipientStates,
  presentRecipientState,
  type RecipientQuery,
} from '../broadcasts/read-recipient-states.ts';
import { readTier } from '../broadcasts/tier.ts';
import type { Connection } from '../database/pool.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

const exportedOfPage = 1_000;

/** Broadcasts as people steer them: progress, reasons, pauses, a preview. The contract's operations create and cancel them. */
export function broadcastStateRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock, config } = resources;
  const exporting = {
    ...resources,
    config: { ...config, pageSizeDefault: exportedOfPage, pageSizeMax: exportedOfPage },
  };

  serve(consoleOperations.listBroadcastStates, async ({ caller: { workspace_id }, query }) => {
    const body = await readPage(
      resources,
      { workspace_id, scope: consoleOperations.listBroadcastStates.id, cursor: query.cursor },
      {
        fetch: (after, count) => listBroadcasts(pool, workspace_id, { before: after?.[0], count }),
        positionOf: ({ id }) => [id],
        present: presentState,
      },
    );
    return { status: 200, body };
  });

  serve(consoleOperations.getBroadcastState, async ({ caller, params }) => ({
    status: 200,
    body: await readDetails(pool, { workspace_id: caller.workspace_id, id: idOf(params) }),
  }));

  serve(consoleOperations.listBroadcastRecipients, async ({ caller, params, query: { cursor, ...query } }) => {
    const broadcast = await requireBroadcast(caller.workspace_id, params);
    return { status: 200, body: await readRecipients(resources, broadcast, query, cursor) };
  });

  serve(consoleOperations.exportBroadcastRecipients, async ({ caller, params, body: { cursor } }) => {
    const broadcast = await requireBroadcast(caller.workspace_id, params);
    // One export is one act, whatever the number of its pages.
    if (cursor === undefined) {
      const { broadcast_id } = params;
      await transactionOf(caller, pool, (tx) =>
        recordActs(tx, clock, [toAct(caller, 'exportBroadcastRecipients', { broadcast_id })]),
      );
    }
    return { status: 200, body: await readRecipients(exporting, broadcast, {}, cursor) };
  });

  serve(consoleOperations.previewBroadcast, async ({ caller, body }) => ({
    status: 200,
    body: await previewBroadcast(resources, caller, body),
  }));

  serve(consoleOperations.pauseBroadcast, async ({ caller, params }) => {
    const broadcast = { workspace_id: caller.workspace_id, id: idOf(params) };
    const body = await transactionOf(caller, pool, async (tx) => {
      await pauseBroadcast(tx, clock, broadcast, caller.user_id);
      const details = await readDetails(tx, broadcast);
      const { broadcast_id } = params;
      await recordActs(tx, clock, [toAct(caller, 'pauseBroadcast', { broadcast_id }, { waiting: details.waiting })]);
      return details;
    });
    return { status: 200, body };
  });

  serve(consoleOperations.resumeBroadcast, async ({ caller, params }) => {
    const broadcast = { workspace_id: caller.workspace_id, id: idOf(params) };
    const body = await transactionOf(caller, pool, async (tx) => {
      await resumeBroadcast(tx, clock, broadcast);
      const details = await readDetails(tx, broadcast);
      const { broadcast_id } = params;
      await recordActs(tx, clock, [toAct(caller, 'resumeBroadcast', { broadcast_id }, { waiting: details.waiting })]);
      return details;
    });
    return { status: 200, body };
  });

  interface NamedBroadcast {
    workspace_id: string;
    id: string;
  }

  async function readDetails(connection: Connection, { workspace_id, id }: NamedBroadcast): Promise<BroadcastDetails> {
    const row = await findBroadcast(connection, workspace_id, id);
    if (!row) throw new Refusal('not_found');
    const failures = await listFailures(connection, workspace_id, id);
    const { channel_id } = row;
    return presentDetails(row, failures, await readTier(connection, { workspace_id, channel_id }, clock.now()));
  }

  async function requireBroadcast(workspace_id: string, params: { broadcast_id: string }): Promise<NamedBroadcast> {
    const id = idOf(params);
    if (!(await hasBroadcast(pool, workspace_id, id))) throw new Refusal('not_found');
    return { workspace_id, id };
  }

  function readRecipients(
    paging: typeof exporting,
    broadcast: NamedBroadcast,
    query: RecipientQuery,
    cursor: string | undefined,
  ) {
    const { status = '', reason = '' } = query;
    const { workspace_id, id } = broadcast;
    return readPage(
      paging,
      { workspace_id, scope: `recipients ${id} ${status} ${reason}`, cursor },
      {
        fetch: (after, count) =>
          listRecipientStates(pool, broadcast, query, { after: after ? Number(after[0]) : -1, count }),
        positionOf: ({ position }) => [String(position)],
        present: presentRecipientState,
      },
    );
  }
}

const idOf = ({ broadcast_id }: { broadcast_id: string }) => requireId('broadcast', broadcast_id);
