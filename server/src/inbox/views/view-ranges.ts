import { type RawBuilder, sql } from 'kysely';
import { isAwake, nobody } from '../../conversations/list/conversation-filter.ts';
import { inOrder, type ListedConversation } from '../../conversations/list/list-conversations.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { allOf, type SqlCondition } from '../../database/search-page.ts';

/** Conversations of one view whose order is that of the list. */
export interface RangedView {
  name: 'mine' | 'unassigned' | 'all' | 'closed' | 'team';
  id?: string;
  /** Null: those without a stage. */
  stage_id?: string | null;
}

const ofAssignee = (id: RawBuilder<unknown>) => sql<boolean>`coalesce(c.assignee_id, ${nobody}) = ${id}`;

const isOfStage = (id: string | null) =>
  id === null ? sql<boolean>`c.stage_id is null` : sql<boolean>`c.stage_id = ${id}::uuid`;

/**
 * The first `count` conversations of a view that meet the conditions. Each part is a range of an index in the order of the list.
 * Who sees own teams alone gets a range for what is assigned to them, and one for each of their teams.
 */
export function rangesOf(
  { name, id, stage_id }: RangedView,
  viewer: Viewer,
  { now, conditions = [], count }: { now: Date; conditions?: readonly SqlCondition[]; count: number },
): RawBuilder<ListedConversation> {
  const own = ofAssignee(sql`${viewer.user_id}::uuid`);
  const isOthers = sql<boolean>`c.assignee_id is distinct from ${viewer.user_id}::uuid`;
  const ofTeam = id === undefined ? [] : [sql<boolean>`c.team_id = ${id}::uuid`];
  const ofStage = stage_id === undefined ? [] : [isOfStage(stage_id)];
  const met = [...(name === 'closed' ? [] : [isAwake(now)]), ...ofTeam, ...ofStage, ...conditions];
  const status = sql.lit(name === 'closed' ? 'closed' : 'open');
  const range = (more: readonly SqlCondition[]) => rangeOf(viewer, status, [...more, ...met], count);
  const inTeams = (more: readonly SqlCondition[]) => teamRanges(viewer, status, [...more, ...met], count);
  if (name === 'mine') return range([own]);
  if (name === 'unassigned') {
    return viewer.own_teams_only ? inTeams([sql<boolean>`c.assignee_id is null`]) : range([ofAssignee(nobody)]);
  }
  if (!viewer.own_teams_only) return range([]);
  return sql<ListedConversation>`(
    select * from (${range([own])} union all ${inTeams([isOthers])}) c ${inOrder} limit ${count})`;
}

function rangeOf(
  { workspace_id }: Viewer,
  status: RawBuilder<unknown>,
  conditions: readonly SqlCondition[],
  count: number,
) {
  const met = allOf([sql`c.workspace_id = ${workspace_id}`, sql`c.status = ${status}`, ...conditions]);
  return sql<ListedConversation>`(select * from conversations c where ${met} ${inOrder} limit ${count})`;
}

function teamRanges(
  { workspace_id, user_id }: Viewer,
  status: RawBuilder<unknown>,
  conditions: readonly SqlCondition[],
  count: number,
) {
  const met = allOf([
    sql`c.workspace_id = t.workspace_id and c.team_id = t.team_id and c.status = ${status}`,
    ...conditions,
  ]);
  return sql<ListedConversation>`(
    select c.* from team_members t cross join lateral (
      select * from conversations c where ${met} ${inOrder} limit ${count}) c
    where t.workspace_id = ${workspace_id} and t.user_id = ${user_id} ${inOrder} limit ${count})`;
}
