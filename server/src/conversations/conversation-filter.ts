import { type RawBuilder, sql } from 'kysely';
import { escapeLike } from '../database/escape-like.ts';
import { foldText } from '../database/fold-text.ts';
import type { Part } from '../database/search-page.ts';
import { termsOf } from '../database/search-terms.ts';

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

type Condition = RawBuilder<boolean>;

/** What is searched for in the name, folded. */
function patternOf({ q }: ConversationFilter): string {
  return q === undefined ? '' : foldText(q).trim();
}

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

/** Whether an index holds just these in the order of the list, so that a page reads no more than it shows. */
export function isIndexed({ assignee_id, channel_type, stage_id, ...filter }: ConversationFilter): boolean {
  const places = [assignee_id, channel_type, stage_id].filter((id) => id !== undefined);
  return places.length < 2 && !isSearch(filter);
}

/** Whether the contact is searched for, by what no index has in the order of the list. */
export function isSearch(filter: ConversationFilter): boolean {
  return filter.tag !== undefined || patternOf(filter) !== '';
}

/** Whether nothing else is asked for. */
export function isSearchAlone({ q, tag, ...filter }: ConversationFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** What the index of terms holds of all whose name meets the search. */
export function nameTermsOf(filter: ConversationFilter): string[] {
  const pattern = patternOf(filter);
  return pattern === '' ? [] : termsOf(pattern);
}

/** The search in full, on the columns that hold the folded name and the tags of the contact. */
export function searchConditionsOf(
  filter: ConversationFilter,
  { name, tags }: { name: RawBuilder<unknown>; tags: RawBuilder<unknown> },
): Condition[] {
  const pattern = patternOf(filter);
  return [
    ...(filter.tag === undefined ? [] : [sql<boolean>`${tags} @> array[${filter.tag}]::text[]`]),
    ...(pattern === '' ? [] : [sql<boolean>`${name} like ${`%${escapeLike(pattern)}%`}`]),
  ];
}

/** All conditions, each on the row itself. */
export function conditionsOf(filter: ConversationFilter, now: Date): Condition[] {
  const { status, assignee_id, channel_type, stage_id, contact_id } = filter;
  const given: (Condition | false | undefined)[] = [
    sql<boolean>`(c.snoozed_until is null or c.snoozed_until <= ${now})`,
    status !== undefined && sql<boolean>`c.status = ${status}`,
    assignee_id === null && sql<boolean>`c.assignee_id is null`,
    typeof assignee_id === 'string' && sql<boolean>`c.assignee_id = ${assignee_id}::uuid`,
    channel_type !== undefined && sql<boolean>`c.channel_type = ${channel_type}`,
    stage_id !== undefined && sql<boolean>`c.stage_id = ${stage_id}::uuid`,
    contact_id !== undefined && sql<boolean>`c.contact_id = ${contact_id}::uuid`,
    ...searchConditionsOf(filter, { name: sql`c.contact_name_folded`, tags: sql`c.contact_tags` }),
  ];
  return given.filter((condition) => condition !== false && condition !== undefined);
}

/** Behind the last of the page before. */
export function behind({ after }: ConversationPage): Condition[] {
  if (!after) return [];
  return [sql<boolean>`(c.last_message_at, c.id) < (${after.last_message_at}::timestamptz, ${after.id}::uuid)`];
}

/** No further than a place, which is meant too. */
export function upTo({ last_message_at, id }: Position): Condition {
  return sql<boolean>`(c.last_message_at, c.id) >= (${last_message_at}::timestamptz, ${id}::uuid)`;
}

export function all(conditions: readonly Condition[]): Condition {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
