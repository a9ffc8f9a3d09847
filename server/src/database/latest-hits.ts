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

/**
 * The table `month`: the moment `at`, and the beginning of the month before it, in UTC, `since` which the latest were active.
 * A term may be the same of two texts, and of a row that is long not all are indexed: that moment tells.
 */
export function monthOf(at: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`month as materialized (
    select begin.at, active_since(begin.at) as since from (select ${at} as at offset 0) begin)`;
}

/** What stands among the terms of all that were active last in this month or in the one before. */
export const nameOfMonth = sql<string>`(active_months((select at from month)))[1]`;
export const sinceMonth = sql<Date>`(select since from month)`;
