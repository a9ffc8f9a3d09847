import { consoleOperations, mayAct } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import { requireId } from '../http/require-id.ts';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { changeHoursOf, listHours } from '../users/working-hours.ts';
import { readHours } from '../workspaces/hours-settings.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** When people work: outside of their hours they get no conversations by turns. */
export function workingHoursRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.listWorkingHours, async ({ caller: { workspace_id } }) => ({
    status: 200,
    body: {
      timezone: (await readHours(pool, workspace_id)).timezone,
      data: await listHours(pool, workspace_id, clock.now()),
    },
  }));

  serve(consoleOperations.changeWorkingHours, async ({ caller, params, body }) => {
    const { workspace_id } = caller;
    const id = requireId('user', params.user_id);
    const changed = await transactionOf(caller, pool, async (tx) => {
      await changeHoursOf(tx, { workspace_id, id }, body, (role) => mayChangeHours(caller, id, role));
      const { hours } = body;
      await recordActs(tx, clock, [toAct(caller, 'changeWorkingHours', { user_id: params.user_id }, { hours })]);
      await publishLive(tx, [{ workspace_id, kind: 'settings' }]);
      return (await listHours(tx, workspace_id, clock.now())).find(({ user_id }) => user_id === publicId('user', id));
    });
    return { status: 200, body: changed! };
  });
}

/** A person changes the own hours, and an administrator those of others, but for an owner's. */
function mayChangeHours(caller: PersonCaller, id: string, role: string | null): boolean {
  if (caller.user_id === id) return true;
  return mayAct(caller.role, 'admin') && (role !== 'owner' || mayAct(caller.role, 'owner'));
}
