import { mostCounted, type ViewCounts } from '@majlis/console-api';
import { sql } from 'kysely';
import {
  type ConversationFilter,
  conditionsOf,
  contactConditionsOf,
} from '../../conversations/list/conversation-filter.ts';
import { listed } from '../../conversations/list/list-conversations.ts';
import { readFilter } from '../../conversations/list/read-filter.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { runFirst, statement } from '../../database/query.ts';
import { allOf, mostMatches, type SqlCondition } from '../../database/search-page.ts';
import { listSavedFilters } from '../saved-views.ts';
import type { Editor } from '../sharing.ts';
import { snoozedConditions, snoozedFrom } from './list-view.ts';
import { ownFilter } from './saved-filter.ts';
import { type RangedView, rangesOf } from './view-ranges.ts';

type Counter = Viewer & Editor;

/** The conversations of each view, each counted up to a bound, so that a large inbox costs no more than a small one. */
export async function countViews(connection: Connection, viewer: Counter, now: Date): Promise<ViewCounts> {
  const named = await countNamed(connection, viewer, now);
  const saved = [];
  for (const { id, filter } of await listSavedFilters(connection, viewer)) {
    const read = readFilter(ownFilter(filter, viewer), viewer);
    const count = read ? await countFiltered(connection, viewer.workspace_id, read, now) : 0;
    saved.push({ view_id: publicId('saved_view', id), count });
  }
  return { ...named, saved };
}

async function countNamed(connection: Connection, viewer: Viewer, now: Date): Promise<Omit<ViewCounts, 'saved'>> {
  const { workspace_id, user_id, own_teams_only } = viewer;
  const range = (view: RangedView) => {
    const ranges = rangesOf(view, viewer, { now, count: mostCounted });
    return sql`(select count(*)::integer from ${ranges} c)`;
  };
  const snoozed = allOf(snoozedConditions(viewer));
  const query = sql<Omit<ViewCounts, 'saved' | 'teams' | 'mentions'>>`
    select ${range({ name: 'mine' })} as mine, ${range({ name: 'unassigned' })} as unassigned,
      ${range({ name: 'all' })} as all, ${range({ name: 'closed' })} as closed,
      (select count(*)::integer from (
        select from ${snoozedFrom(viewer, now)} c where ${snoozed} limit ${mostCounted}) c) as snoozed`;
  const counts = await runFirst(connection, query);
  const [mentioned] = await countMentions(connection, [workspace_id, user_id, own_teams_only]);
  const teams = await countTeams(connection, [workspace_id, user_id, own_teams_only, now]);
  return {
    ...counts!,
    mentions: mentioned!.mentions,
    teams: teams.map(({ id, count }) => ({ team_id: publicId('team', id), count })),
  };
}

// A team of an agent who sees own teams alone is one of theirs, and they see all of it.
const countTeams = statement<{ id: string; count: number }>(`
  select t.id, (select count(*)::integer from (
    select from conversations c where c.workspace_id = t.workspace_id and c.team_id = t.id and c.status = 'open'
      and (c.snoozed_until is null or c.snoozed_until <= $4)
    order by c.last_message_at desc, c.id desc limit ${mostCounted}) c) as count
  from teams t
  where t.workspace_id = $1 and t.removed_at is null and (not $3 or exists (
    select from team_members m where m.workspace_id = t.workspace_id and m.team_id = t.id and m.user_id = $2))
  order by t.name, t.id`);

const countMentions = statement<{ mentions: number }>(`
  with latest as materialized (
    select message_id from note_mentions where workspace_id = $1 and user_id = $2 order by message_id desc
    limit ${mostCounted}
  )
  select count(distinct m.conversation_id)::integer as mentions
  from latest l cross join lateral (
    select conversation_id from messages o where o.workspace_id = $1 and o.id = l.message_id offset 0) m
  cross join lateral (
    select c.id from conversations c
    where c.workspace_id = $1 and c.id = m.conversation_id and c.contact_id is not null
      and (not $3 or c.assignee_id = $2 or exists (select from team_members t
        where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = $2))
      and not exists (select from read_marks r where r.workspace_id = $1 and r.user_id = $2 and r.conversation_id = c.id
        and r.last_read_message_id >= l.message_id) offset 0) c`);

async function countFiltered(
  connection: Connection,
  workspace_id: string,
  filter: ConversationFilter,
  now: Date,
): Promise<number> {
  const conditions = conditionsOf(workspace_id, filter, { now, after: undefined, count: mostCounted });
  const ofContact = contactConditionsOf(filter);
  if (filter.contact_id !== undefined) {
    const met = allOf([...conditions, ...ofContact.map(heldByContact)]);
    return count(connection, sql`(select from conversations c where ${met} limit ${mostCounted})`);
  }
  if (ofContact.length === 0) return count(connection, listed(filter, conditions, mostCounted));
  const matched = await runFirst(connection, countMatches(workspace_id, conditions, ofContact));
  if (matched!.matches <= mostMatches) return matched!.count;
  const latest = sql`(
    select from ${listed(filter, conditions, mostScanned)} c where ${allOf(ofContact.map(heldByContact))} limit ${mostCounted})`;
  return count(connection, latest);
}

// A name or a tag that more contacts have is counted among so many of the latest conversations.
const mostScanned = 32_000;

async function count(connection: Connection, rows: ReturnType<typeof sql>): Promise<number> {
  return (await runFirst(connection, sql<{ count: number }>`select count(*)::integer as count from ${rows} c`))!.count;
}

const heldByContact = (condition: SqlCondition) => sql<boolean>`(select ${condition} from contact_search s
  where s.workspace_id = c.workspace_id and s.contact_id = c.contact_id)`;

function countMatches(workspace_id: string, conditions: readonly SqlCondition[], ofContact: readonly SqlCondition[]) {
  return sql<{ matches: number; count: number }>`
    with found as materialized (
      select s.contact_id from contact_search s where ${allOf([sql`s.workspace_id = ${workspace_id}`, ...ofContact])}
      limit ${sql.lit(mostMatches + 1)}),
    total as materialized (select count(*)::integer as matches from found)
    select total.matches, (select count(*)::integer from (
      select from found cross join lateral (
        select * from conversations o where o.workspace_id = ${workspace_id} and o.contact_id = found.contact_id offset 0) c
      where ${allOf([sql`total.matches <= ${sql.lit(mostMatches)}`, ...conditions])} limit ${mostCounted}) c) as count
    from total`;
}
