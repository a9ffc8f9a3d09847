import { sql } from 'kysely';
import { foldName, holds } from '../../database/search-key.ts';
import type { Part, SqlCondition } from '../../database/search-page.ts';
import { isVisibleTo } from '../is-visible-to.ts';

/** Filters by ids of this workspace; a null assignee asks for conversations without one. */
export interface ConversationFilter {
  status?: 'open' | 'closed' | undefined;
  assignee_id?: string | null | undefined;
  channel_type?: string | undefined;
  stage_id?: string | undefined;
  team_id?: string | undefined;
  contact_id?: string | undefined;
  tag?: string | undefined;
  /** Assigned to this user, or to a team of theirs. */
  visible_to?: string | undefined;
  /** Any part of the contact's name; `%` and `_` are letters. A text that folds to nothing is ignored. */
  q?: string | undefined;
}

/** The start of a page, its length, and the time of the request, which decides on snoozed conversations. */
export interface ConversationListPage extends Part<{ last_message_at: string; id: string }> {
  now: Date;
}

/** The assignee of a conversation without one, in its index. */
export const nobody = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** Conditions that lead the planner to the most selective index in the order of the list. Most have no assignee. */
export function indexConditionsOf(filter: ConversationFilter): SqlCondition[] {
  const { assignee_id, channel_type, stage_id, team_id } = filter;
  if (channel_type !== undefined && channel_type !== 'chatapp') {
    return [sql<boolean>`c.channel_type = ${channel_type}`, sql<boolean>`c.channel_type <> 'chatapp'`];
  }
  if (stage_id !== undefined && !assignee_id) return [sql<boolean>`c.stage_id = ${stage_id}::uuid`];
  if (team_id !== undefined && !assignee_id) return [sql<boolean>`c.team_id = ${team_id}::uuid`];
  if (assignee_id === undefined) return [];
  return [sql<boolean>`coalesce(c.assignee_id, ${nobody}) = ${assignee_id ?? nobody}`];
}

/** Conditions on a row of `contact_search` as `s`: the contact's name and tag. */
export function contactConditionsOf({ tag, q }: ConversationFilter): SqlCondition[] {
  const pattern = q === undefined ? '' : foldName(q).trim();
  return [
    ...(pattern === '' ? [] : [holds(sql`s.name_key`, pattern)]),
    ...(tag === undefined ? [] : [sql<boolean>`s.tags @> array[${tag}]::text[]`]),
  ];
}

/** A condition on a row of `conversations` as `c`: it is not snoozed. */
export function isAwake(now: Date): SqlCondition {
  return sql<boolean>`(c.snoozed_until is null or c.snoozed_until <= ${now})`;
}

/** Conditions on a row of `conversations` as `c`. */
export function conditionsOf(
  workspace_id: string,
  filter: ConversationFilter,
  { now, after }: ConversationListPage,
): SqlCondition[] {
  const { status, assignee_id, channel_type, stage_id, team_id, contact_id, visible_to } = filter;
  const given: (SqlCondition | false | undefined)[] = [
    sql<boolean>`c.workspace_id = ${workspace_id}`,
    isAwake(now),
    status !== undefined && sql<boolean>`c.status = ${status}`,
    assignee_id === null && sql<boolean>`c.assignee_id is null`,
    typeof assignee_id === 'string' && sql<boolean>`c.assignee_id = ${assignee_id}::uuid`,
    channel_type !== undefined && sql<boolean>`c.channel_type = ${channel_type}`,
    stage_id !== undefined && sql<boolean>`c.stage_id = ${stage_id}::uuid`,
    team_id !== undefined && sql<boolean>`c.team_id = ${team_id}::uuid`,
    contact_id !== undefined && sql<boolean>`c.contact_id = ${contact_id}::uuid`,
    visible_to !== undefined && isVisibleTo(visible_to),
    after && sql<boolean>`(c.last_message_at, c.id) < (${after.last_message_at}::timestamptz, ${after.id}::uuid)`,
  ];
  return given.filter((condition) => condition !== false && condition !== undefined);
}
