import { type RawBuilder, sql } from 'kysely';
import { countsOfLatest, latestBy, latestSince, sinceOf, sinceOfHits, termsOfLatest } from '../database/latest-hits.ts';
import type { Match, Reach } from '../database/search-page.ts';
import {
  all,
  behind,
  type ConversationFilter,
  type ConversationPage,
  conditionsOf,
  searchConditionsOf,
  termsOfFilter,
} from './conversation-filter.ts';
import type { ConversationRow } from './present.ts';
import { type Standing, showConversations, walkedColumns } from './show-conversations.ts';

/**
 * Those that the index of terms finds, of the latest days that it takes to fill a page, and all others only where too
 * few of these are awake; or one row that says that they are more than `most`.
 */
export function matchConversations(
  workspace_id: string,
  filter: ConversationFilter,
  page: ConversationPage,
  { most, of }: Reach,
) {
  const { after, count } = page;
  const begin = after ? sql<Date>`${after.last_message_at}::timestamptz` : latestOf(workspace_id);
  const terms = termsOfLatest(termsOfFilter(filter), { of, tag: filter.tag, kept_as: 'tag' });
  const held = sql`contact_terms(s.workspace_id, s.name, s.tags, null, '{}')`;
  const [holds, hasMore] = [terms, sql`array['\u001fmore']`].map(
    (wanted) => sql<boolean>`${held} @> hash_terms(${workspace_id}::uuid, ${wanted})`,
  );
  const searched = searchConditionsOf(filter);
  if (of !== 'all') searched.push(sql<boolean>`s.active_from >= ${sinceOf[of]}`);
  const hits = sql`(select s.conversation_id, s.active_from, s.active_until from conversation_search s
    where (${holds} or ${hasMore}) and ${all(searched)} limit ${sql.lit(most + 1)})`;
  // A page and a quarter, as some are snoozed.
  const enough = Math.ceil(1.25 * count);
  const conditions = [...conditionsOf(filter, page.now), ...behind(page)];
  if (after) conditions.push(sql<boolean>`h.active_from <= ${after.last_message_at}::timestamptz`);
  // The offset of nothing keeps the other conditions out: with the position at hand, the planner would rather read all
  // that lies behind it.
  const ofHits = (place: RawBuilder<boolean>) => sql`
    from hits h cross join lateral (
      select * from conversations o where o.workspace_id = ${workspace_id} and o.id = h.conversation_id offset 0) c
    where ${all([place, ...conditions])}`;
  const matching = sql<Standing>`(select * from (select * from latest union all select * from others) c
    order by c.last_message_at desc, c.id desc limit ${count})`;
  return sql<Match<ConversationRow>>`
    with ${latestSince(begin)},
      hits as materialized ${hits},
      total as materialized (select count(*) as hits, ${sinceOfHits(after?.last_message_at, enough)} as since,
        ${countsOfLatest} from hits),
      latest as materialized (select ${walkedColumns} from total t cross join lateral (
        select c.* ${ofHits(sql<boolean>`t.hits <= ${sql.lit(most)} and h.active_until >= t.since`)}) c),
      missing as materialized (select t.since from total t where t.hits <= ${sql.lit(most)}
        and (select count(*) from latest c where c.last_message_at >= t.since) < ${count}),
      others as (select ${walkedColumns} from missing m cross join lateral (
        select c.* ${ofHits(sql<boolean>`h.active_until < m.since`)}) c)
    select t.hits, t.week_hits, t.month_hits, ${latestBy(sql`c.last_message_at`)} as latest, c.*
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
