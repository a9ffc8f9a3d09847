import { type RawBuilder, sql } from 'kysely';
import { foldText } from '../../database/fold-text.ts';
import { holds } from '../../database/search-key.ts';
import type { Part } from '../../database/search-page.ts';

/** Filters by ids of this workspace; a null assignee asks for conversations without one. */
export interface ConversationFilter {
  status?: 'open' | 'closed' | undefined;
  assignee_id?: string | null | undefined;
  channel_type?: string | undefined;
  stage_id?: string | undefined;
  contact_id?: string | undefined;
  tag?: string | undefined;
  /** Any part of the contact's name, folded; `%` and `_` are letters. What folds to nothing asks for nothing. */
  q?: string | undefined;
}

/** A place in the list. */
export interface Position {
  last_message_at: string;
  id: string;
}

/** Where a page begins, and when it is read. */
export interface ConversationPage extends Part<Position> {
  now: Date;
}

export type Condition = RawBuilder<boolean>;

const nobody = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The most telling index of those that hold the order of the list. Nobody is the assignee of most. */
export function leadOf(filter: ConversationFilter): Condition[] {
  const { assignee_id, channel_type, stage_id } = filter;
  if (channel_type !== undefined && channel_type !== 'chatapp') {
    return [sql<boolean>`c.channel_type = ${channel_type}`, sql<boolean>`c.channel_type <> 'chatapp'`];
  }
  if (stage_id !== undefined && !assignee_id) return [sql<boolean>`c.stage_id = ${stage_id}::uuid`];
  if (assignee_id === undefined) return [];
  return [sql<boolean>`coalesce(c.assignee_id, ${nobody}) = ${assignee_id ?? nobody}`];
}

/** On a row of `contact_search` as `s`: the contact's name and tags. None where the filter asks for neither. */
export function contactConditionsOf({ tag, q }: ConversationFilter): Condition[] {
  const pattern = q === undefined ? '' : foldText(q).trim();
  return [
    ...(pattern === '' ? [] : [holds(sql`s.name_key`, pattern)]),
    ...(tag === undefined ? [] : [sql<boolean>`s.tags @> array[${tag}]::text[]`]),
  ];
}

/** On the conversation itself. */
export function conditionsOf(
  workspace_id: string,
  filter: ConversationFilter,
  { now, after }: ConversationPage,
): Condition[] {
  const { status, assignee_id, channel_type, stage_id, contact_id } = filter;
  const given: (Condition | false | undefined)[] = [
    sql<boolean>`c.workspace_id = ${workspace_id}`,
    sql<boolean>`(c.snoozed_until is null or c.snoozed_until <= ${now})`,
    status !== undefined && sql<boolean>`c.status = ${status}`,
    assignee_id === null && sql<boolean>`c.assignee_id is null`,
    typeof assignee_id === 'string' && sql<boolean>`c.assignee_id = ${assignee_id}::uuid`,
    channel_type !== undefined && sql<boolean>`c.channel_type = ${channel_type}`,
    stage_id !== undefined && sql<boolean>`c.stage_id = ${stage_id}::uuid`,
    contact_id !== undefined && sql<boolean>`c.contact_id = ${contact_id}::uuid`,
    after && sql<boolean>`(c.last_message_at, c.id) < (${after.last_message_at}::timestamptz, ${after.id}::uuid)`,
  ];
  return given.filter((condition) => condition !== false && condition !== undefined);
}

export function all(conditions: readonly Condition[]): Condition {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
