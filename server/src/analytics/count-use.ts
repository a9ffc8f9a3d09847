import { roles, type UseCounts } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// A definition names teams, stages, tags and fields by their text.
const countWorkflows = statement<{ count: number }>(`
  select count(*)::int as count from workflows w
  join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version
  where w.workspace_id = $1 and strpos(v.definition::text, to_json($2::text)::text) > 0`);

async function workflowsWith(connection: Connection, workspace_id: string, name: string): Promise<number> {
  return (await countWorkflows(connection, [workspace_id, name]))[0]!.count;
}

interface Named {
  workspace_id: string;
  id: string;
  name: string;
}

const countMember = statement<{ open_conversations: number; teams: number; invitations: number }>(`
  select (select count(*)::int from conversations where workspace_id = $1 and assignee_id = $2 and status = 'open')
      as open_conversations,
    (select count(*)::int from team_members where workspace_id = $1 and user_id = $2) as teams,
    (select count(*)::int from sign_in_links
      where workspace_id = $1 and invited_by = $2 and kind = 'invitation' and expires_at > $3) as invitations`);

/** A workflow names a member by the e-mail address. */
export async function countMemberUse(
  connection: Connection,
  now: Date,
  { workspace_id, id, email }: { workspace_id: string; id: string; email: string },
): Promise<UseCounts> {
  const [counts] = await countMember(connection, [workspace_id, id, now]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, email) };
}

const countPeople = statement<{ people: number }>(`
  select count(*)::int as people from users where workspace_id = $1 and person_id is not null and role = any($2)`);

/** No workflow names a canned reply. One of a person alone is theirs. */
export async function countReplyUse(
  connection: Connection,
  workspace_id: string,
  { user_id }: { user_id: string | null },
): Promise<UseCounts> {
  const [counts] = user_id === null ? await countPeople(connection, [workspace_id, roles]) : [{ people: 1 }];
  return { ...counts!, workflows: 0 };
}

const countTeam = statement<{ members: number; conversations: number }>(`
  select (select count(*)::int from team_members where workspace_id = $1 and team_id = $2) as members,
    (select count(*)::int from conversations where workspace_id = $1 and team_id = $2) as conversations`);

export async function countTeamUse(connection: Connection, { workspace_id, id, name }: Named): Promise<UseCounts> {
  const [counts] = await countTeam(connection, [workspace_id, id]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, name) };
}

const countStage = statement<{ contacts: number; conversations: number; broadcasts: number }>(`
  select (select count(*)::int from contacts where workspace_id = $1 and stage_id = $2) as contacts,
    (select count(*)::int from conversations where workspace_id = $1 and stage_id = $2) as conversations,
    (select count(*)::int from broadcasts where workspace_id = $1 and stage_id = $2 and status = 'scheduled') as broadcasts`);

export async function countStageUse(connection: Connection, { workspace_id, id, name }: Named): Promise<UseCounts> {
  const [counts] = await countStage(connection, [workspace_id, id]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, name) };
}

const countClosings = statement<{ closings: number }>(`
  select count(*)::int as closings from conversation_closings where workspace_id = $1 and category_id = $2`);

export async function countReasonUse(connection: Connection, { workspace_id, id, name }: Named): Promise<UseCounts> {
  const [counts] = await countClosings(connection, [workspace_id, id]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, name) };
}

const countHolders = statement<{ contacts: number }>(`
  select count(*)::int as contacts from contacts where workspace_id = $1 and custom_fields -> $2 is not null`);

export async function countFieldUse(connection: Connection, workspace_id: string, key: string): Promise<UseCounts> {
  const [counts] = await countHolders(connection, [workspace_id, key]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, key) };
}

const countTagged = statement<{ contacts: number; broadcasts: number }>(`
  select (select coalesce(sum(change), 0)::int from tag_changes where workspace_id = $1 and name = $2) as contacts,
    (select count(*)::int from broadcasts where workspace_id = $1 and tags @> array[$2::text] and status = 'scheduled')
      as broadcasts`);

export async function countTagUse(connection: Connection, workspace_id: string, tag: string): Promise<UseCounts> {
  const [counts] = await countTagged(connection, [workspace_id, tag]);
  return { ...counts!, workflows: await workflowsWith(connection, workspace_id, tag) };
}

// A paused broadcast keeps its status. A step names its template in the language, so that others of the name do not count.
const countSends = statement<{ broadcasts: number; workflows: number }>(`
  select (select count(*)::int from broadcasts where workspace_id = $1 and template_name = $2 and template_language = $3
      and status in ('scheduled', 'sending')) as broadcasts,
    (select count(*)::int from workflows w
      join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version
      where w.workspace_id = $1 and jsonb_path_exists(v.definition::jsonb,
        '$.** ? (@.do == "send_template" && @.template == $name && @.language == $language)',
        jsonb_build_object('name', $2::text, 'language', $3::text))) as workflows`);

export async function countTemplateUse(
  connection: Connection,
  workspace_id: string,
  { name, language }: { name: string; language: string },
): Promise<UseCounts> {
  return (await countSends(connection, [workspace_id, name, language]))[0]!;
}
