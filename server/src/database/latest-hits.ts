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
