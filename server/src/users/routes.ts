import { operations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { presentTeam, presentUser } from './present.ts';
import { listTeams, listUsers } from './read-users.ts';
import { setAvailability } from './set-availability.ts';

export function userRoutes(serve: Serve, { pool }: Resources): void {
  serve.read(operations.listUsers, async ({ caller }) => ({
    data: (await listUsers(pool, caller.workspace_id)).map(presentUser),
  }));

  serve.write(operations.setUserAvailability, async (tx, { caller, params, body }) => {
    const user = await setAvailability(tx, caller.workspace_id, parseId('user', params.user_id), body.available);
    return { status: 200, body: presentUser(user) };
  });

  serve.read(operations.listTeams, async ({ caller }) => ({
    data: (await listTeams(pool, caller.workspace_id)).map(presentTeam),
  }));
}
