import { sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run, runFirst, search, short, type Way } from '../../database/query.ts';
import { type Bound, type Part, searchPage } from '../../database/search-page.ts';
import type { ConversationRow } from '../present.ts';
import {
  all,
  behind,
  type ConversationFilter,
  type ConversationPage,
  conditionsOf,
  isSearch,
  leadOf,
  type Position,
  upTo,
} from './conversation-filter.ts';
import { matchConversations } from './match-conversations.ts';
import { type Standing, showConversations, walkedColumns } from './show-conversations.ts';

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
  const walkOn = (way: Way) => (part: Part<Position>, bound?: Bound<Position>) =>
    run(connection, walkConversations(workspace_id, filter, { ...page, ...part }, bound), way);
  if (!isSearch(filter)) return walkOn(short(workspace_id))(page);
  return searchPage(page, {
    name: JSON.stringify(['conversations', workspace_id, filter]),
    ways(how) {
      const way = search(workspace_id, how);
      return {
        walk: walkOn(way),
        match: (part, reach) => matchConversations(connection, workspace_id, filter, { ...page, ...part }, reach, way),
        positionOf: ({ last_message_at, id }) => ({ last_message_at: last_message_at.toISOString(), id }),
      };
    },
  });
}

export function findConversation(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const one = sql<Standing>`(select * from conversations c where c.workspace_id = ${workspace_id} and c.id = ${id})`;
  return runFirst(connection, showConversations(one), short(workspace_id));
}

/**
 * Goes through the conversations by their activity, as far as the bound, and keeps those that meet the filter. Each status
 * is a walk of its own through an index, and the two are merged row by row: no more is read than is shown.
 */
function walkConversations(
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
  if (steps === undefined) return showConversations(walked);
  return showConversations(
    sql<Standing>`(select ${walkedColumns} from ${walked} c where ${all(conditions)}
      order by c.last_message_at desc, c.id desc limit ${page.count})`,
  );
}

/** A contact has few, so they are sorted. */
function conversationsOfContact(workspace_id: string, filter: ConversationFilter, page: ConversationPage) {
  const conditions = [...conditionsOf(filter, page.now), ...behind(page)];
  return showConversations(
    sql<Standing>`(select * from conversations c where c.workspace_id = ${workspace_id} and ${all(conditions)}
      order by c.last_message_at desc, c.id desc limit ${page.count})`,
  );
}
