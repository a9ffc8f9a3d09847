import { consoleOperations, type SavedView } from '@majlis/console-api';
import type { Transaction } from '../database/transaction.ts';
import { requireId } from '../http/require-id.ts';
import { changeSavedView, createSavedView, deleteSavedView, listSavedViews } from '../inbox/saved-views.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';
import { writeOnce } from './write-once.ts';

export function savedViewRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve(consoleOperations.listSavedViews, async ({ caller }) => ({
    status: 200,
    body: { data: await listSavedViews(pool, caller) },
  }));

  serve(consoleOperations.createSavedView, async ({ caller, body, key }) =>
    writeOnce(resources, { caller, key }, async (tx) => {
      const created = await createSavedView(tx, clock, caller, body, config.quotas);
      await record(tx, caller, 'createSavedView', created);
      const { contact_id } = created.filter;
      const about = contact_id === undefined ? undefined : { contact_id: requireId('contact', contact_id) };
      return { status: 201, body: created, about };
    }),
  );

  serve(consoleOperations.changeSavedView, async ({ caller, params, body }) => {
    const view = await transactionOf(caller, pool, async (tx) => {
      const changed = await changeSavedView(tx, caller, params.view_id, body, config.quotas);
      await record(tx, caller, 'changeSavedView', changed);
      return changed;
    });
    return { status: 200, body: view };
  });

  serve(consoleOperations.deleteSavedView, async ({ caller, params }) => {
    await transactionOf(caller, pool, async (tx) => {
      await record(tx, caller, 'deleteSavedView', await deleteSavedView(tx, caller, params.view_id));
    });
    return { status: 204 };
  });

  type Action = 'createSavedView' | 'changeSavedView' | 'deleteSavedView';

  /** A view of the person alone is nobody else's business. */
  async function record(tx: Transaction, caller: PersonCaller, action: Action, view: SavedView): Promise<void> {
    if (view.shared) await recordActs(tx, clock, [toAct(caller, action, { view_id: view.id }, { name: view.name })]);
  }
}
