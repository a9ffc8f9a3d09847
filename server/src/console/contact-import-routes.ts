import { consoleOperations } from '@majlis/console-api';
import type { ContactImportResult } from '@majlis/contract';
import { addImportRows, cancelImport, createImport, removeImport, startImport } from '../contacts/import/hand-over.ts';
import { presentImport } from '../contacts/import/present.ts';
import { findImport, listImports, listLeftOut } from '../contacts/import/queries.ts';
import { importContacts } from '../contacts/write/import-contacts.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

const shownImports = 20;
const rowsOfPage = 1_000;

/** Carries the result out of the transaction, which the throw undoes. */
class Undone extends Error {
  readonly result: ContactImportResult;

  constructor(result: ContactImportResult) {
    super('The import was tried alone.');
    this.result = result;
  }
}

/** Files of contacts: the dry run, the handing over, and the imports that the service performs by itself. */
export function contactImportRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve(consoleOperations.previewContactImport, async ({ caller, body }) => {
    try {
      // The import itself, undone: no second set of rules can differ from the first.
      return await transactionOf(caller, pool, async (tx) => {
        throw new Undone(await importContacts(tx, clock, caller, body, config));
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      return { status: 200, body: error.result };
    }
  });

  serve(consoleOperations.listContactImports, async ({ caller }) => {
    const rows = await listImports(pool, caller.workspace_id, shownImports);
    return { status: 200, body: { data: rows.map(presentImport) } };
  });

  serve(consoleOperations.createContactImport, async ({ caller, body }) => {
    const created = await transactionOf(caller, pool, (tx) => createImport(tx, clock, caller, body));
    return { status: 201, body: presentImport(created) };
  });

  serve(consoleOperations.addContactImportRows, async ({ caller, params, body: { rows } }) => {
    const ref = refOf(caller, params);
    const rows_received = await transactionOf(caller, pool, (tx) => addImportRows(tx, ref, rows, caller.country));
    return { status: 200, body: { rows_received } };
  });

  serve(consoleOperations.startContactImport, async ({ caller, params }) => {
    const { import_id } = params;
    const started = await transactionOf(caller, pool, async (tx) => {
      const { record, is_new } = await startImport(tx, clock, refOf(caller, params), caller);
      const act = toAct(caller, 'startContactImport', { import_id }, { rows: record.rows_total });
      if (is_new) await recordActs(tx, clock, [act]);
      return record;
    });
    return { status: 200, body: presentImport(started) };
  });

  serve(consoleOperations.cancelContactImport, async ({ caller, params }) => {
    const { import_id } = params;
    const cancelled = await transactionOf(caller, pool, async (tx) => {
      const record = await cancelImport(tx, clock, refOf(caller, params));
      await recordActs(tx, clock, [toAct(caller, 'cancelContactImport', { import_id })]);
      return record;
    });
    return { status: 200, body: presentImport(cancelled) };
  });

  serve(consoleOperations.listLeftOutRows, async ({ caller, params, query: { cursor } }) => {
    const ref = refOf(caller, params);
    const found = await findImport(pool, ref);
    if (!found) throw new Refusal('not_found');
    const paging = { ...resources, config: { ...config, pageSizeDefault: rowsOfPage, pageSizeMax: rowsOfPage } };
    const scope = `${consoleOperations.listLeftOutRows.id} ${ref.import_id}`;
    const body = await readPage(
      paging,
      { workspace_id: ref.workspace_id, scope, cursor },
      {
        fetch: (position, count) => listLeftOut(pool, ref, { after: Number(position?.[0] ?? -1), count }),
        positionOf: ({ line }) => [String(line)],
        present: (row) => row,
      },
    );
    return { status: 200, body: { ...body, header: found.header } };
  });

  serve(consoleOperations.deleteContactImport, async ({ caller, params }) => {
    const { import_id } = params;
    await transactionOf(caller, pool, async (tx) => {
      await removeImport(tx, refOf(caller, params));
      await recordActs(tx, clock, [toAct(caller, 'deleteContactImport', { import_id })]);
    });
    return { status: 204 };
  });
}

function refOf({ workspace_id }: { workspace_id: string }, { import_id }: { import_id: string }) {
  return { workspace_id, import_id: requireId('contact_import', import_id) };
}
