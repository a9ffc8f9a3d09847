import type { Session } from '@majlis/console-api';
import { mayAct, type Role } from '@majlis/console-api/roles';

/** The signed-in person in one of their workspaces. */
export type Membership = Session['workspaces'][number];

/** For what reaches customers of all teams: the server refuses it to a person who sees own teams alone. */
export function mayReachAll({ role, own_teams_only }: Membership, least: Role): boolean {
  return mayAct(role, least) && !own_teams_only;
}
