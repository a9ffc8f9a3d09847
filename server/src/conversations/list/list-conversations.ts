import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run, runFirst } from '../../database/query.ts';
import { type Match, mostMatches, searchPage } from '../../database/search-page.ts';
import type { ConversationRow } from '../present.ts';
import {
  all,
  type Condition,
  type ConversationFilter,
  type ConversationPage,
  conditionsOf,
  contactConditionsOf,
  leadOf,
} from './conversation-filter.ts';
import { type Listed, showConversations } from './show-conversations.ts';

/** Latest activity first, from behind `after` on; snoozed ones are left out until they wake. */
export async function listConversations(
  connection: Connection,
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
): Promise<ConversationRow[]> {
  const conditions = conditionsOf(workspace_id, filter, page);
  const ofContact = contactConditionsOf(filter);
  if (filter.contact_id !== undefined) {
    return run(connection, showConversations(conversationsOfContact(conditions, ofContact, page)));
  }
  if (ofContact.length === 0) return run(connection, showConversations(listed(filter, conditions, page.count)));
  return searchPage(page.count, {
    scan: (most) => run(connection, showConversations(keep(listed(filter, conditions, most), ofContact, page))),
    match: () => run(connection, matchConversations(workspace_id, conditions, ofContact, page)),
  });
}

export function findConversation(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const one = sql<Listed>`(select * from conversations c where c.workspace_id = ${workspace_id} and c.id = ${id})`;
  return runFirst(connection, showConversations(one));
}

const inOrder = sql`order by c.last_message_at desc, c.id desc`;

/**
 * The conversations that meet the conditions: all, or the first. Each status is a range of an index in the order of the list, and
 * the ranges are merged row by row.
 */
function listed(filter: ConversationFilter, conditions: readonly Condition[], limit: number | undefined) {
  const end = limit === undefined ? sql`` : sql`${inOrder} limit ${sql.lit(limit)}`;
  const statuses = filter.status === undefined ? ['open', 'closed'] : [filter.status];
  const ranges = statuses.map((status) => {
    const met = all([sql`c.status = ${sql.lit(status)}`, ...leadOf(filter), ...conditions]);
    return sql`(select * from conversations c where ${met} ${end})`;
  });
  return sql<Listed>`(select * from (${sql.join(ranges, sql` union all `)}) c ${end})`;
}

/**
 * Those whose contact meets the conditions. The offset has the subquery planned by itself, as one that finds its row: otherwise
 * the planner would read all of `contact_search`, or sort all conversations.
 */
function keep(conversations: RawBuilder<Listed>, ofContact: readonly Condition[], { count }: ConversationPage) {
  return sql<Listed>`(
    select c.* from ${conversations} c cross join lateral (
      select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.contact_id and ${all(ofContact)} offset 0) s
    ${inOrder} limit ${count})`;
}

/** The offset keeps the order out: with it at hand, the planner would rather read the list. */
function matchConversations(
  workspace_id: string,
  conditions: readonly Condition[],
  ofContact: readonly Condition[],
  { count }: ConversationPage,
) {
  const matching = sql<Listed>`(
    select c.* from found cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.contact_id = found.contact_id offset 0) c
    where ${all([sql`total.matches <= ${sql.lit(mostMatches)}`, ...conditions])}
    ${inOrder} limit ${count})`;
  return sql<Match<ConversationRow>>`
    with found as materialized (
      select s.contact_id from contact_search s where ${all([sql`s.workspace_id = ${workspace_id}`, ...ofContact])}
      limit ${sql.lit(mostMatches + 1)}),
    total as materialized (select count(*)::integer as matches from found)
    select total.matches, c.* from total left join lateral (${showConversations(matching)}) c on true ${inOrder}`;
}

/** A contact has few, so they are sorted. */
function conversationsOfContact(
  conditions: readonly Condition[],
  ofContact: readonly Condition[],
  { count }: ConversationPage,
) {
  const met = ofContact.map(
    (condition) => sql<boolean>`exists (select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.contact_id and ${condition})`,
  );
  return sql<Listed>`(select * from conversations c where ${all([...conditions, ...met])} ${inOrder} limit ${count})`;
}
