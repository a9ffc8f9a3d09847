import { consoleOperations } from '@majlis/console-api';
import { listForExport } from '../contacts/list/list-for-export.ts';
import { presentContact } from '../contacts/present.ts';
import { readPage } from '../http/page.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

const contactsOfPage = 500;

export function contactExportRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock, config } = resources;
  const paging = { ...resources, config: { ...config, pageSizeDefault: contactsOfPage, pageSizeMax: contactsOfPage } };

  serve(consoleOperations.exportContacts, async ({ caller, body: { cursor } }) => {
    const { workspace_id } = caller;
    // One export is one act, whatever the number of its pages.
    if (cursor === undefined) {
      await transactionOf(caller, pool, (tx) => recordActs(tx, clock, [toAct(caller, 'exportContacts', {})]));
    }
    const page = await readPage(
      paging,
      { workspace_id, scope: consoleOperations.exportContacts.id, cursor },
      {
        fetch: (position, count) => listForExport(pool, workspace_id, { after_id: position?.[0], count }),
        positionOf: ({ id }) => [id],
        present: presentContact,
      },
    );
    return { status: 200, body: page };
  });
}
