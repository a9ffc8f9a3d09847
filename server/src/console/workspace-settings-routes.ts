import { consoleOperations } from '@majlis/console-api';
import type { Transaction } from '../database/transaction.ts';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { changeWorkspace, presentWorkspaceState } from '../workspaces/change-workspace.ts';
import { changeHours, presentHours, readHours } from '../workspaces/hours-settings.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

export function workspaceSettingsRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.getWorkspaceSettings, async ({ caller }) => ({
    status: 200,
    body: presentWorkspaceState(await getWorkspace(pool, caller.workspace_id)),
  }));

  serve(consoleOperations.changeWorkspace, async ({ caller, body }) => {
    const row = await transactionOf(caller, pool, async (tx) => {
      const changed = await changeWorkspace(tx, clock, caller.workspace_id, body);
      const { version: _, ...details } = body;
      await record(tx, caller, 'changeWorkspace', details);
      return changed;
    });
    return { status: 200, body: presentWorkspaceState(row) };
  });

  serve(consoleOperations.getBusinessHours, async ({ caller }) => ({
    status: 200,
    body: presentHours(await readHours(pool, caller.workspace_id), clock.now()),
  }));

  serve(consoleOperations.changeBusinessHours, async ({ caller, body }) => {
    const hours = await transactionOf(caller, pool, async (tx) => {
      const changed = await changeHours(tx, caller.workspace_id, body);
      await record(tx, caller, 'changeBusinessHours', { hours: body.hours });
      return changed;
    });
    return { status: 200, body: presentHours(hours, clock.now()) };
  });

  async function record(
    tx: Transaction,
    caller: PersonCaller,
    action: 'changeWorkspace' | 'changeBusinessHours',
    details: object,
  ): Promise<void> {
    await recordActs(tx, clock, [toAct(caller, action, {}, details)]);
    await publishLive(tx, [{ workspace_id: caller.workspace_id, kind: 'settings' }]);
  }
}
