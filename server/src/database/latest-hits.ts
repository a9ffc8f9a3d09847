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

/** What the terms of a row say that was active last in the month of this moment or in the one before, in UTC. */
export function monthOf(at: RawBuilder<Date>): RawBuilder<string> {
  return sql<string>`(active_months(${at}))[1]`;
}

/** And nothing else: a term may be the same of two texts, and a row of which there is more than is indexed says nothing. */
export function isOfMonth(row: string, at: RawBuilder<Date>): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${row}.active_from`)} >= active_since(${at})`;
}
