import { isRole, type LiveKind, liveKinds, mayAct, type PersonRule, personRules, type Role } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { FedChange } from './feed.ts';
import type { ToldRow } from './told-rows.ts';

/** What a person may see in a workspace. */
export interface LiveMembership {
  workspace_id: string;
  user_id: string;
  role: Role;
  /** Present for a user who sees the conversations of own teams alone. */
  team_ids: string[] | null;
}

const selectMemberships = statement<Omit<LiveMembership, 'role'> & { person_id: string; role: string | null }>(`
  select u.person_id, u.workspace_id, u.id as user_id, u.role, case when u.own_teams_only then array(
    select t.team_id from team_members t where t.workspace_id = u.workspace_id and t.user_id = u.id order by t.team_id
  ) end as team_ids
  from users u where u.person_id = any($1::uuid[]) order by u.workspace_id`);

/** The memberships of these people with a role of the console, by person. */
export async function readRights(
  connection: Connection,
  person_ids: readonly string[],
): Promise<Map<string, LiveMembership[]>> {
  const rights = new Map<string, LiveMembership[]>(person_ids.map((id) => [id, []]));
  for (const { person_id, role, ...membership } of await selectMemberships(connection, [person_ids])) {
    if (isRole(role)) rights.get(person_id)!.push({ ...membership, role });
  }
  return rights;
}

export type Telling = 'change' | 'removed' | undefined;

/** What a member is told of a change. The rights are those of now, and so is the conversation. */
export function tellingOf(change: FedChange, member: LiveMembership): Telling {
  if (change.for_user_id !== null && change.for_user_id !== member.user_id) return undefined;
  if (!mayRead(change.kind, member)) return undefined;
  if (change.conversation_id === null) return seesContact(member, change.holders) ? 'change' : undefined;
  if (change.is_present && sees(member, change.assignee_id, change.team_id)) return 'change';
  return sees(member, change.former_assignee_id, change.former_team_id) ? 'removed' : undefined;
}

/** Whether the member may see the row of a conversation, by who has it now, and the row was read for them. */
export function seesRow(member: LiveMembership, { assignee_id, team_id, own }: ToldRow): boolean {
  const mayReadIt = mayRead('conversation', member) && mayRead('message', member);
  return mayReadIt && own.has(member.user_id) && sees(member, assignee_id, team_id);
}

/** Whether the pipeline would let the member read it: an operation of the whole workspace refuses who sees own teams alone. */
function mayRead(kind: string, { role, team_ids }: LiveMembership): boolean {
  const operation = liveKinds[(kind === 'rights' ? 'member' : kind) as LiveKind];
  if (operation === undefined) return false;
  const { least, whole_workspace }: PersonRule = personRules[operation]!;
  return mayAct(role, least) && !(whole_workspace && team_ids !== null);
}

/** Who sees own teams alone sees the contacts of their conversations, and those that have none. */
function seesContact(member: LiveMembership, holders: FedChange['holders']): boolean {
  if (holders === null || holders.length === 0) return true;
  return holders.some(([assignee_id, team_id]) => sees(member, assignee_id, team_id));
}

function sees({ user_id, team_ids }: LiveMembership, assignee_id: string | null, team_id: string | null): boolean {
  if (team_ids === null) return true;
  return assignee_id === user_id || (team_id !== null && team_ids.includes(team_id));
}
