import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run, runFirst } from '../../database/query.ts';
import { allOf, type Match, mostMatches, type SqlCondition, searchPage } from '../../database/search-page.ts';
import type { ConversationRow } from '../present.ts';
import type { ConversationFilter, ConversationListPage } from './conversation-filter.ts';
import { conditionsOf, contactConditionsOf, indexConditionsOf } from './conversation-filter.ts';

/** Rows of `conversations`. */
export type ListedConversation = Pick<ConversationRow, 'id' | 'last_message_at'>;

/** Latest activity first, without snoozed conversations. */
export async function listConversations(
  connection: Connection,
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationListPage,
): Promise<ConversationRow[]> {
  const conditions = conditionsOf(workspace_id, filter, page);
  const ofContact = contactConditionsOf(filter);
  if (filter.contact_id !== undefined) {
    return run(connection, showConversations(conversationsOfContact(conditions, ofContact, page)));
  }
  if (ofContact.length === 0) return run(connection, showConversations(listed(filter, conditions, page.count)));
  return searchPage(page.count, {
    scan: (most) =>
      run(connection, showConversations(filterByContact(listed(filter, conditions, most), ofContact, page))),
    match: () => run(connection, matchConversations(workspace_id, conditions, ofContact, page)),
  });
}

export function findConversation(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const one = sql<ListedConversation>`(select * from conversations c where c.workspace_id = ${workspace_id} and c.id = ${id})`;
  return runFirst(connection, showConversations(one));
}

export const inOrder = sql`order by c.last_message_at desc, c.id desc`;

/**
 * Adds the columns of the contact. `contact_handle` is the identity that wrote last, or the oldest one of the contact on
 * the channel.
 */
export function showConversations(
  conversations: RawBuilder<ListedConversation>,
  order = inOrder,
): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select c.id, c.contact_id, c.channel_id, c.channel_type, c.status, c.stage_id, c.assignee_id, c.team_id, c.controller,
      c.unread_count, c.last_customer_at, c.last_business_message_id, c.last_message_at, c.window_expires_at,
      k.name as contact_name, k.tags,
      coalesce(c.identifier, (select i.identifier from contact_identities i
       where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
       order by i.created_at, i.identifier limit 1)) as contact_handle
    from ${conversations} c cross join lateral (
      select name, tags from contacts o where o.workspace_id = c.workspace_id and o.id = c.contact_id offset 0) k
    ${order}`;
}

/**
 * The conversations that meet the conditions: all, or the first `limit`. Each status is a range of an index in the order
 * of the list; PostgreSQL merges the ranges.
 */
export function listed(filter: ConversationFilter, conditions: readonly SqlCondition[], limit: number | undefined) {
  const end = limit === undefined ? sql`` : sql`${inOrder} limit ${sql.lit(limit)}`;
  const statuses = filter.status === undefined ? ['open', 'closed'] : [filter.status];
  const ranges = statuses.map((status) => {
    const met = allOf([sql`c.status = ${sql.lit(status)}`, ...indexConditionsOf(filter), ...conditions]);
    return sql`(select * from conversations c where ${met} ${end})`;
  });
  return sql<ListedConversation>`(select * from (${sql.join(ranges, sql` union all `)}) c ${end})`;
}

/**
 * Filters by the contact. The `offset 0` keeps the subquery a look-up by key for each conversation: without it, the planner
 * reads all of `contact_search`, or sorts all conversations.
 */
function filterByContact(
  conversations: RawBuilder<ListedConversation>,
  ofContact: readonly SqlCondition[],
  { count }: ConversationListPage,
) {
  return sql<ListedConversation>`(
    select c.* from ${conversations} c cross join lateral (
      select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.contact_id and ${allOf(ofContact)} offset 0) s
    ${inOrder} limit ${count})`;
}

/** The `offset 0` hides the order of the list: with the order in sight, the planner reads the whole list. */
function matchConversations(
  workspace_id: string,
  conditions: readonly SqlCondition[],
  ofContact: readonly SqlCondition[],
  { count }: ConversationListPage,
) {
  const matching = sql<ListedConversation>`(
    select c.* from found cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.contact_id = found.contact_id offset 0) c
    where ${allOf([sql`total.matches <= ${sql.lit(mostMatches)}`, ...conditions])}
    ${inOrder} limit ${count})`;
  return sql<Match<ConversationRow>>`
    with found as materialized (
      select s.contact_id from contact_search s where ${allOf([sql`s.workspace_id = ${workspace_id}`, ...ofContact])}
      limit ${sql.lit(mostMatches + 1)}),
    total as materialized (select count(*)::integer as matches from found)
    select total.matches, c.* from total left join lateral (${showConversations(matching)}) c on true ${inOrder}`;
}

/** A contact has few conversations, so a sort is cheap. */
function conversationsOfContact(
  conditions: readonly SqlCondition[],
  ofContact: readonly SqlCondition[],
  { count }: ConversationListPage,
) {
  const met = ofContact.map(
    (condition) => sql<boolean>`exists (select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.contact_id and ${condition})`,
  );
  return sql<ListedConversation>`(select * from conversations c where ${allOf([...conditions, ...met])} ${inOrder} limit ${count})`;
}
