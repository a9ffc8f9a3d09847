import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { run, runFirst, search, short } from '../database/query.ts';
import { type Bound, type Match, type Part, searchPage } from '../database/search-page.ts';
import { termsOf } from '../database/search-terms.ts';
import {
  all,
  behind,
  type ConversationFilter,
  type ConversationPage,
  conditionsOf,
  isIndexed,
  isSearch,
  leadOf,
  type Position,
  patternOf,
  upTo,
} from './conversation-filter.ts';
import type { ConversationRow } from './present.ts';

// More contacts than these are too many to sort their conversations.
const most_matches = 3_000;

/** Latest activity first, from behind `after` on; snoozed ones are left out until they wake. */
export async function listConversations(
  connection: Connection,
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
): Promise<ConversationRow[]> {
  if (filter.contact_id !== undefined) {
    return run(connection, conversationsOfContact(workspace_id, filter, page), short(workspace_id));
  }
  const way = (isIndexed(filter) ? short : search)(workspace_id);
  const walk = (part: Part<Position>, bound?: Bound<Position>) =>
    run(connection, walkConversations(workspace_id, filter, { ...page, ...part }, bound), way);
  if (!isSearch(filter)) return walk(page);
  return searchPage(page, {
    name: JSON.stringify(['conversations', workspace_id, filter]),
    walk,
    match: (part) => run(connection, matchConversations(workspace_id, filter, { ...page, ...part }, most_matches), way),
    positionOf: ({ last_message_at, id }) => ({ last_message_at: last_message_at.toISOString(), id }),
  });
}

export function findConversation(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const one = sql<Standing>`(select * from conversations c where c.workspace_id = ${workspace_id} and c.id = ${id})`;
  return runFirst(connection, show(one), short(workspace_id));
}

// What is shown, what it is shown with, and what is searched by: each row of a walk is handed on several times, and with all
// its columns that takes a quarter longer.
const shownColumns = sql`c.id, c.contact_id, c.channel_id, c.channel_type, c.status, c.stage_id, c.assignee_id, c.team_id,
  c.controller, c.unread_count, c.last_customer_at, c.last_business_message_id, c.last_message_at, c.window_expires_at`;
const walkedColumns = sql`${shownColumns}, c.workspace_id, c.identifier, c.snoozed_until, c.contact_name, c.contact_tags,
  c.contact_name_folded`;

/**
 * Goes through the conversations by their activity, as far as the bound, and keeps those that meet the filter. Each status
 * is a walk of its own through an index, and the two are merged row by row: no more is read than is shown.
 */
export function walkConversations(
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
  { steps, until }: Bound<Position> = {},
) {
  const conditions = conditionsOf(filter, page.now);
  // Steps count whether they are kept or not. A walk without them ends with a page of its own: for so few the planner
  // takes the index, for an open end it would sort all that there are.
  const [met, most] = steps === undefined ? [conditions, sql`${page.count}`] : [[], sql.lit(steps)];
  const places = [...leadOf(filter), ...behind(page), ...(until ? [upTo(until)] : [])];
  const statuses = filter.status === undefined ? ['open', 'closed'] : [filter.status];
  const walks = statuses.map((status) => {
    const standing = [sql<boolean>`c.workspace_id = ${workspace_id}`, sql<boolean>`c.status = ${sql.lit(status)}`];
    return sql`(select ${walkedColumns} from conversations c where ${all([...standing, ...places, ...met])}
      order by c.last_message_at desc, c.id desc limit ${most})`;
  });
  // The bound holds for both together too: where one status ends, the other would go on into the past, past rows of it.
  const walked = sql<Standing>`(select ${walkedColumns} from (${sql.join(walks, sql` union all `)}) c
    order by c.last_message_at desc, c.id desc limit ${most})`;
  if (steps === undefined) return show(walked);
  return show(
    sql<Standing>`(select ${walkedColumns} from ${walked} c where ${all(conditions)}
      order by c.last_message_at desc, c.id desc limit ${page.count})`,
  );
}

/** A contact has few, so they are sorted. */
export function conversationsOfContact(workspace_id: string, filter: ConversationFilter, page: ConversationPage) {
  const conditions = [...conditionsOf(filter, page.now), ...behind(page)];
  return show(
    sql<Standing>`(select * from conversations c where c.workspace_id = ${workspace_id} and ${all(conditions)}
      order by c.last_message_at desc, c.id desc limit ${page.count})`,
  );
}

/** Those of the contacts that the index of terms finds; or one row that says that those contacts are more than `most`. */
export function matchConversations(
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
  most: number,
) {
  const pattern = patternOf(filter);
  const terms = [
    ...(pattern ? termsOf(pattern) : []),
    ...(filter.tag === undefined ? [] : [`\u001ftag ${filter.tag}`]),
  ];
  const held = sql`contact_terms(s.workspace_id, s.search_text, s.tags, s.stage_id, s.channel_types)`;
  const [holds, hasMore] = [terms, ['\u001fmore']].map(
    (wanted) => sql`${held} @> hash_terms(${workspace_id}::uuid, ${wanted}::text[])`,
  );
  const found = sql<{ contact_id: string }>`(select s.contact_id from contact_search s where ${holds} or ${hasMore}
    limit ${sql.lit(most + 1)})`;
  const conditions = [...conditionsOf(filter, page.now), ...behind(page)];
  // The offset of nothing keeps the other conditions out: with the position at hand, the planner would rather read all
  // that lies behind it.
  const matching = sql<Standing>`(select c.* from found f cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.contact_id = f.contact_id offset 0) c
    where not t.too_many and ${all(conditions)}
    order by c.last_message_at desc, c.id desc limit ${page.count})`;
  return sql<Match<ConversationRow>>`
    with found as materialized ${found}, total as (select count(*) > ${sql.lit(most)} as too_many from found)
    select t.too_many, c.* from total t left join lateral (${show(matching)}) c on true
    order by c.last_message_at desc, c.id desc`;
}

/** The columns of a conversation that are shown. */
type Standing = Omit<ConversationRow, 'tags' | 'contact_handle'> & { workspace_id: string };

/**
 * These conversations with what is shown of their contacts, latest activity first. Where the customer wrote, their identity
 * stands beside the conversation and is always one of the contact's.
 */
function show(conversations: RawBuilder<Standing>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select ${shownColumns}, c.contact_name, c.contact_tags as tags,
      coalesce(c.identifier, (select i.identifier from contact_identities i
       where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
       order by i.created_at, i.identifier limit 1)) as contact_handle
    from ${conversations} c order by c.last_message_at desc, c.id desc`;
}
