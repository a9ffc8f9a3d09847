import { type RawBuilder, sql } from 'kysely';
import { holdsTerms } from '../../database/held-terms.ts';
import { begunAt, sinceOfHits, sinceWeeks, weeksTo } from '../../database/latest-hits.ts';
import type { Connection } from '../../database/pool.ts';
import { run, type Way } from '../../database/query.ts';
import type { Match, Reach } from '../../database/search-page.ts';
import type { ConversationRow } from '../present.ts';
import {
  all,
  behind,
  type ConversationFilter,
  type ConversationPage,
  conditionsOf,
  searchConditionsOf,
  termsOfFilter,
} from './conversation-filter.ts';
import { type Standing, showConversations, walkedColumns } from './show-conversations.ts';

/** What the index of terms finds. */
type Found = Match<ConversationRow> & {
  /** Since when those were active that were read. Days do not overlap, so the others stand behind them. */
  since: string | null;
};

/**
 * Those that the index of terms finds, of the latest days that it takes to fill a page, and all others only where too
 * few of these are awake; or one row that says that they are more than `most`.
 */
export async function matchConversations(
  connection: Connection,
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
  reach: Reach,
  way: Way,
): Promise<Match<ConversationRow>[]> {
  const ask = (days: Days) => run(connection, findHits(workspace_id, filter, page, reach, days), way);
  // A page and a quarter, as some are snoozed.
  const latest = await ask({ enough: Math.ceil(1.25 * page.count) });
  const { since } = latest[0]!;
  if (since === null || latest.length >= page.count) return latest;
  const rows = [...latest, ...(await ask({ before: since }))].filter(({ id }) => id !== null);
  return rows.length > 0 ? rows.slice(0, page.count) : latest;
}

/** The latest days that have enough, or all before. */
type Days = { enough: number } | { before: string };

function findHits(
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
  { most, weeks }: Reach,
  days: Days,
): RawBuilder<Found> {
  const { after, count } = page;
  const begin = after ? sql<Date>`${after.last_message_at}::timestamptz` : latestOf(workspace_id);
  const held = sql`contact_terms(s.workspace_id, s.name, s.tags, null, '{}')`;
  const index = { workspace_id, held, kept_as: 'tag' } as const;
  const holds = holdsTerms(index, termsOfFilter(filter), weeks);
  const searched = searchConditionsOf(filter);
  if (weeks !== undefined) searched.push(sinceWeeks(sql`s.active_from`, weeks));
  const hits = sql`(select s.conversation_id, s.active_from, s.active_until from conversation_search s
    where ${holds} and ${all(searched)} limit ${sql.lit(most + 1)})`;
  const [since, ofDays] =
    'enough' in days
      ? [sinceOfHits(after?.last_message_at, days.enough), sql<boolean>`h.active_until > t.since`]
      : [sql`'-infinity'::timestamptz`, sql<boolean>`h.active_until <= ${days.before}::timestamptz`];
  const conditions = [...conditionsOf(filter, page.now), ...behind(page)];
  if (after) conditions.push(sql<boolean>`h.active_from <= ${after.last_message_at}::timestamptz`);
  // The offset of nothing keeps the other conditions out: with the position at hand, the planner would rather read all
  // that lies behind it.
  const matching = sql<Standing>`(select ${walkedColumns} from hits h cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.id = h.conversation_id offset 0) c
    where t.hits <= ${sql.lit(most)} and ${ofDays} and ${all(conditions)}
    order by c.last_message_at desc, c.id desc limit ${count})`;
  return sql<Found>`
    with ${begunAt(begin)},
      hits as materialized ${hits},
      total as materialized (select count(*)::integer as hits, ${since} as since from hits)
    select t.hits, ${weeksTo(sql`c.last_message_at`)} as weeks,
      case when t.hits <= ${sql.lit(most)} and t.since > '-infinity' then t.since::text end as since, c.*
    from total t left join lateral (${showConversations(matching)}) c on true
    order by c.last_message_at desc, c.id desc`;
}

/** When something was said last, in any conversation. */
function latestOf(workspace_id: string): RawBuilder<Date> {
  const [open, closed] = [sql.lit('open'), sql.lit('closed')].map(
    (status) => sql`(select last_message_at from conversations
      where workspace_id = ${workspace_id} and status = ${status} order by last_message_at desc limit 1)`,
  );
  return sql<Date>`(select greatest(${open}, ${closed}))`;
}
