import { sql } from 'kysely';
import { isVisibleTo } from '../../conversations/is-visible-to.ts';
import { inOrder, type ListedConversation, showConversations } from '../../conversations/list/list-conversations.ts';
import type { ConversationRow } from '../../conversations/present.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import type { Connection } from '../../database/pool.ts';
import { run, statement } from '../../database/query.ts';
import { allOf, type Part, type SqlCondition } from '../../database/search-page.ts';
import { type RangedView, rangesOf } from './view-ranges.ts';

/** A conversation with its place in the order of the view. */
export interface PlacedRow {
  id: string;
  place: [string, string];
}

export type ViewRow = ConversationRow & PlacedRow;

/** `after`: the place of the row before. */
export interface ViewPage extends Part<[string, string]> {
  now: Date;
}

export async function listRanged(
  connection: Connection,
  view: RangedView,
  viewer: Viewer,
  page: ViewPage,
): Promise<ViewRow[]> {
  return (await run(connection, showConversations(pageOf(view, viewer, page)))).map(withPlace);
}

/** The same without what the rows show. */
export async function placeRanged(
  connection: Connection,
  view: RangedView,
  viewer: Viewer,
  page: ViewPage,
): Promise<PlacedRow[]> {
  const query = sql<{ id: string; last_message_at: Date }>`
    select c.id, c.last_message_at from ${pageOf(view, viewer, page)} c ${inOrder}`;
  const rows = await run(connection, query);
  return rows.map(({ id, last_message_at }) => ({ id, place: [last_message_at.toISOString(), id] }));
}

function pageOf(view: RangedView, viewer: Viewer, { now, after, count }: ViewPage) {
  const beyond = after && sql<boolean>`(c.last_message_at, c.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return rangesOf(view, viewer, { now, conditions: beyond ? [beyond] : [], count });
}

/** The place of a row in the list by activity. */
export function withPlace(row: ConversationRow): ViewRow {
  return { ...row, place: [row.last_message_at.toISOString(), row.id] };
}

export async function listSnoozed(connection: Connection, viewer: Viewer, page: ViewPage): Promise<ViewRow[]> {
  const { now, after, count } = page;
  const beyond = after && sql<boolean>`(c.snoozed_until, c.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const met = allOf([...snoozedConditions(viewer), ...(beyond ? [beyond] : [])]);
  const rows = await run(
    connection,
    sql<{ id: string; until: Date }>`
      select c.id, c.snoozed_until as until from ${snoozedFrom(viewer, now)} c
      where ${met} order by c.snoozed_until, c.id limit ${count}`,
  );
  return showPlaced(
    connection,
    viewer,
    rows.map(({ id, until }) => ({ id, place: [until.toISOString(), id] })),
  );
}

/**
 * The conversations that return later, the next one first: a range of their own index. `offset 0` keeps the status out of it, by
 * which a database that was never analysed would read all open ones.
 */
export function snoozedFrom({ workspace_id }: Viewer, now: Date) {
  return sql`(select * from conversations o where o.workspace_id = ${workspace_id} and o.snoozed_until > ${now}
    order by o.snoozed_until, o.id offset 0)`;
}

/** Further conditions on a row of `snoozedFrom` as `c`. */
export function snoozedConditions({ user_id, own_teams_only }: Viewer): SqlCondition[] {
  return [sql<boolean>`c.status = 'open'`, ...(own_teams_only ? [isVisibleTo(user_id)] : [])];
}

/** How many mentions of a person, the latest ones, are looked through for their conversations. */
const mostMentions = 1_000;

const selectMentioned = statement<{ id: string; message_id: string }>(`
  with latest as materialized (
    select message_id from note_mentions where workspace_id = $1 and user_id = $2 order by message_id desc
    limit ${mostMentions}
  ), mentioned as (
    select m.conversation_id as id, max(l.message_id::text)::uuid as message_id
    from latest l cross join lateral (
      select conversation_id from messages o where o.workspace_id = $1 and o.id = l.message_id offset 0) m
    group by m.conversation_id
  )
  select n.id, n.message_id from mentioned n
  where ($3::uuid is null or n.message_id < $3) and exists (
    select from conversations c where c.workspace_id = $1 and c.id = n.id and c.contact_id is not null
      and (not $4 or c.assignee_id = $2 or exists (select from team_members t
        where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = $2)))
  order by n.message_id desc limit $5`);

export async function listMentioned(
  connection: Connection,
  viewer: Viewer,
  { after, count }: ViewPage,
): Promise<ViewRow[]> {
  const { workspace_id, user_id, own_teams_only } = viewer;
  const rows = await selectMentioned(connection, [workspace_id, user_id, after?.[0] ?? null, own_teams_only, count]);
  return showPlaced(
    connection,
    viewer,
    rows.map(({ id, message_id }) => ({ id, place: [message_id, id] })),
  );
}

/** The conversations in the order of their places. */
export async function showPlaced(
  connection: Connection,
  { workspace_id }: Pick<Viewer, 'workspace_id'>,
  placed: readonly PlacedRow[],
): Promise<ViewRow[]> {
  if (placed.length === 0) return [];
  const ids = placed.map(({ id }) => id);
  // Each by its key: with a list of ids, a database that was never analysed reads the whole workspace.
  const named = sql<ListedConversation>`(
    select c.* from unnest(${ids}::uuid[]) n (id) cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.id = n.id offset 0) c)`;
  const rows = new Map((await run(connection, showConversations(named))).map((row) => [row.id, row]));
  return placed.flatMap(({ id, place }) => {
    const row = rows.get(id);
    return row ? [{ ...row, place }] : [];
  });
}
