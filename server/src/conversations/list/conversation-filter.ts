import { type RawBuilder, sql } from 'kysely';
import { escapeLike } from '../../database/escape-like.ts';
import { foldText } from '../../database/fold-text.ts';
import type { Part } from '../../database/search-page.ts';
import { termsOf } from '../../database/search-terms.ts';

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

/** Whether no index holds just these in the order of the list, so that a page would read more than it shows. */
export function isSearch({ assignee_id, channel_type, stage_id, tag, q }: ConversationFilter): boolean {
  const places = [assignee_id, channel_type, stage_id].filter((id) => id !== undefined);
  return places.length > 1 || tag !== undefined || patternOf({ q }) !== '';
}

/** Of most conversations: to look at what is found besides costs less than to find those that have these too. */
const frequentMarks = new Set(['\u001fstatus closed', '\u001fchannel_type chatapp']);

/** What the index of terms holds of all that meet the filter. Of `open` and the tag, one term says both. */
export function termsOfFilter(filter: ConversationFilter): string[] {
  const { status, tag } = filter;
  const pattern = patternOf(filter);
  const isOpenTag = status === 'open' && tag !== undefined;
  const marks = marksOf(isOpenTag ? { ...filter, status: undefined } : filter);
  const telling = marks.filter((mark) => !frequentMarks.has(mark));
  const tags = tag === undefined ? [] : [isOpenTag ? `\u001fopen ${tag}` : tag];
  return [...[...tags, ...telling].map((tag) => `\u001ftag ${tag}`), ...(pattern === '' ? [] : termsOf(pattern))];
}

/** What `conversation_terms` of the database puts beside the tags of all that meet the filter. */
function marksOf({ status, assignee_id, channel_type, stage_id }: ConversationFilter): string[] {
  return [
    ...(status === undefined ? [] : [`\u001fstatus ${status}`]),
    ...(assignee_id === undefined ? [] : [`\u001fassignee ${assignee_id ?? 'none'}`]),
    ...(channel_type === undefined ? [] : [`\u001fchannel_type ${channel_type}`]),
    ...(stage_id === undefined ? [] : [`\u001fstage ${stage_id}`]),
  ];
}

/** The filter in full, on a row of `conversation_search` as `s`. */
export function searchConditionsOf(filter: ConversationFilter): Condition[] {
  const tags = [...(filter.tag === undefined ? [] : [filter.tag]), ...marksOf(filter)];
  return [
    ...(tags.length === 0 ? [] : [sql<boolean>`s.tags @> ${tags}::text[]`]),
    ...nameConditionsOf(filter, sql`s.name`),
  ];
}

/** `name`: the contact's, folded. */
function nameConditionsOf(filter: ConversationFilter, name: RawBuilder<unknown>): Condition[] {
  const pattern = patternOf(filter);
  return pattern === '' ? [] : [sql<boolean>`${name} like ${`%${escapeLike(pattern)}%`}`];
}

/** All conditions, each on the row itself. */
export function conditionsOf(filter: ConversationFilter, now: Date): Condition[] {
  const { status, assignee_id, channel_type, stage_id, contact_id, tag } = filter;
  const given: (Condition | false | undefined)[] = [
    sql<boolean>`(c.snoozed_until is null or c.snoozed_until <= ${now})`,
    status !== undefined && sql<boolean>`c.status = ${status}`,
    assignee_id === null && sql<boolean>`c.assignee_id is null`,
    typeof assignee_id === 'string' && sql<boolean>`c.assignee_id = ${assignee_id}::uuid`,
    channel_type !== undefined && sql<boolean>`c.channel_type = ${channel_type}`,
    stage_id !== undefined && sql<boolean>`c.stage_id = ${stage_id}::uuid`,
    contact_id !== undefined && sql<boolean>`c.contact_id = ${contact_id}::uuid`,
    tag !== undefined && sql<boolean>`c.contact_tags @> array[${tag}]::text[]`,
    ...nameConditionsOf(filter, sql`c.contact_name_folded`),
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
