import { type RawBuilder, sql } from 'kysely';

/**
 * The moment since which `enough` of the rows of `hits` were active for sure, of those that stand behind `after` where it is
 * given; what was active before stands behind these. A hit says between which moments it was last active, as
 * `active_from` and `active_until`.
 */
export function sinceOfHits(after: string | undefined, enough: number): RawBuilder<Date> {
  const surely = after === undefined ? sql`true` : sql`active_until < ${after}::timestamptz`;
  return sql<Date>`coalesce((select active_from from hits where ${surely}
    order by active_from desc offset ${enough - 1} limit 1), '-infinity')`;
}

/** The table `begun`: the week in which the moment `at` is, where a part begins. `week_of` of the database counts them, in UTC. */
export function begunAt(at: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`begun as materialized (select week_of(begin.at) as week from (select ${at} as at offset 0) begin)`;
}

/** Of so many weeks, the last is the one in which the part begins. */
export const lastWeek = sql`(select week from begun)`;
export const firstOf = (weeks: number): RawBuilder<number> => sql`${lastWeek} - ${weeks - 1}::integer`;

/** How many weeks, with the one in which the part begins, reach to what was active at that moment. */
export function weeksTo(active_at: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`${lastWeek} - week_of(${active_at}) + 1`;
}

/** What the index finds of other weeks, as `holdsTerms` may, is left out. */
export function sinceWeeks(active_from: RawBuilder<unknown>, weeks: number): RawBuilder<boolean> {
  return sql<boolean>`${active_from} >= start_of_week(${firstOf(weeks)})`;
}
