import { consoleOperations } from '@majlis/console-api';
import { previewErasure } from '../contacts/erase/count-erased.ts';
import { listReceipts, presentReceipt } from '../contacts/erase/receipts/list-receipts.ts';
import { listReceiptKeys } from '../contacts/erase/receipts/receipt-keys.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

/** What an erasure would delete, and the receipts of erasures. The erasure itself is an operation of the contract. */
export function consoleErasureRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool } = resources;

  serve(consoleOperations.previewErasure, async ({ caller, params }) => {
    const counts = await previewErasure(pool, caller.workspace_id, requireId('contact', params.contact_id));
    if (!counts) throw new Refusal('not_found');
    return { status: 200, body: counts };
  });

  serve(consoleOperations.listErasureReceipts, async ({ caller: { workspace_id }, query: { cursor, contact_id } }) => {
    const scope = JSON.stringify([consoleOperations.listErasureReceipts.id, contact_id]);
    const body = await readPage(
      resources,
      { workspace_id, scope, cursor },
      {
        fetch: (after, count) => listReceipts(pool, workspace_id, { before: after?.[0], contact_id, count }),
        positionOf: ({ id }) => [id],
        present: presentReceipt,
      },
    );
    return { status: 200, body };
  });

  serve(consoleOperations.listReceiptKeys, async () => ({ status: 200, body: { data: await listReceiptKeys(pool) } }));
}
