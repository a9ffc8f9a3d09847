import { consoleOperations, type TeamEntry } from '@majlis/console-api';
import { countTeamUse } from '../analytics/count-use.ts';
import { replaceReference } from '../conversations/change/replace-reference.ts';
import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { presentTeam } from '../users/present.ts';
import { changeTeam, createTeam, removeTeam, teamVersion } from '../users/teams/manage-teams.ts';
import { listTeamStates, type TeamState } from '../users/teams/queries.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

export function teamRoutes(serve: ServeConsole, { config, pool, clock }: Resources): void {
  const presentTeams = async (workspace_id: string) =>
    (await listTeamStates(pool, workspace_id)).filter(({ removed_at }) => !removed_at);

  const within = <Result>(tx: Transaction, { workspace_id }: PersonCaller, work: () => Promise<Result>) =>
    withinQuota(tx, config.quotas, { workspace_id, kind: 'teams' }, work);

  serve(consoleOperations.listTeamEntries, async ({ caller }) => ({
    status: 200,
    body: { data: (await presentTeams(caller.workspace_id)).map(presentEntry) },
  }));

  serve(consoleOperations.createTeam, async ({ caller, body }) => {
    const team = await transactionOf(caller, pool, async (tx) => {
      const created = await within(tx, caller, () => createTeam(tx, clock, caller.workspace_id, body));
      await record(tx, caller, 'createTeam', created, { name: created.name, members: created.member_ids.length });
      return created;
    });
    return { status: 201, body: presentEntry(team) };
  });

  serve(consoleOperations.changeTeam, async ({ caller, params, body }) => {
    const team = await transactionOf(caller, pool, async (tx) => {
      const changed = await within(tx, caller, () => changeTeam(tx, clock, caller.workspace_id, params.team_id, body));
      await record(tx, caller, 'changeTeam', changed, { name: changed.name, members: changed.member_ids.length });
      return changed;
    });
    return { status: 200, body: presentEntry(team) };
  });

  serve(consoleOperations.getTeamUse, async ({ caller: { workspace_id }, params }) => {
    const id = requireId('team', params.team_id);
    const team = (await presentTeams(workspace_id)).find((one) => one.id === id);
    if (!team) throw new Refusal('not_found');
    return { status: 200, body: await countTeamUse(pool, { workspace_id, id, name: team.name }) };
  });

  serve(consoleOperations.deleteTeam, async ({ caller, params, query }) => {
    await transactionOf(caller, pool, async (tx) => {
      const { workspace_id } = caller;
      const team = await removeTeam(tx, clock, workspace_id, params.team_id, query.version);
      const actor = { kind: 'user' as const, id: caller.user_id };
      await replaceReference(tx, clock, { workspace_id, of: 'team', from_id: team.id, to_id: null, actor });
      await record(tx, caller, 'deleteTeam', team, { name: team.name });
    });
    return { status: 204 };
  });

  async function record(
    tx: Transaction,
    caller: PersonCaller,
    action: 'createTeam' | 'changeTeam' | 'deleteTeam',
    team: TeamState,
    details: object,
  ): Promise<void> {
    await recordActs(tx, clock, [toAct(caller, action, { team_id: presentTeam(team).id }, details)]);
    await publishLive(tx, [{ workspace_id: caller.workspace_id, kind: 'settings' }]);
  }
}

function presentEntry(team: TeamState): TeamEntry {
  return { team: presentTeam(team), version: teamVersion(team) };
}
