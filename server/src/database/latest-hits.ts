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

/** The latest are those that were active in this period or in the one before. In UTC, weeks by ISO 8601. */
export type Period = 'week' | 'fortnight' | 'month';

/**
 * The table `latest_since`: the moment `at`, and since when the latest were active, by the period of it.
 * A term may be the same of two texts, and of a row that is long not all are indexed: that moment tells.
 */
export function latestSince(at: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`latest_since as materialized (
    select begin.at, active_since_week(begin.at) as week, active_since_fortnight(begin.at) as fortnight,
      active_since(begin.at) as month
    from (select ${at} as at offset 0) begin)`;
}

/** Since when the latest were active. */
export const sinceOf: Record<Period, RawBuilder<Date>> = {
  week: sql`(select week from latest_since)`,
  fortnight: sql`(select fortnight from latest_since)`,
  month: sql`(select month from latest_since)`,
};

/** What stands among the terms of all of the latest. */
const nameOf: Record<Period, RawBuilder<string>> = {
  week: sql`(active_weeks((select at from latest_since)))[1]`,
  fortnight: sql`(active_fortnights((select at from latest_since)))[1]`,
  month: sql`(active_months((select at from latest_since)))[1]`,
};

/**
 * The terms of all that hold `terms`, have the tag and are of the latest, as `text[]`; `kept_as` is the kind of term by which
 * the rows say when they were active. That they were in a week and have a tag, one term says: both by themselves are of many.
 */
export function termsOfLatest(
  terms: readonly string[],
  { of, tag, kept_as }: { of: 'all' | Period; tag: string | undefined; kept_as: 'tag' | 'channel_type' },
): RawBuilder<string[]> {
  const withTag = sql`${tag === undefined ? terms : [...terms, `\u001ftag ${tag}`]}::text[]`;
  const active = sql.lit(`\u001f${kept_as} `);
  if (of === 'all') return sql`${withTag}`;
  if (of !== 'week' || tag === undefined) return sql`${withTag} || (${active} || ${nameOf[of]})`;
  return sql`${terms}::text[] || (${active} || ${nameOf[of]} || ' ' || ${tag}::text)`;
}

/** How many hits there are, and how many of them are of the latest, by each period. */
export type Counts = Record<'all' | Period, number>;

const countSince = (period: Period) => sql`count(*) filter (where active_from >= ${sinceOf[period]})`;

/** The counts of `hits` in one text, as it stands in each row of an answer, and is read in one. */
export const countsOfHits = sql`concat_ws(' ', count(*), ${countSince('week')}, ${countSince('fortnight')}, ${countSince('month')})`;

export function readCounts(text: string): Counts {
  const [all, week, fortnight, month] = text.split(' ').map(Number) as [number, number, number, number];
  return { all, week, fortnight, month };
}

/** By which period what was active at that moment is one of the latest: the shortest, if by several. */
export function latestBy(active_at: RawBuilder<unknown>): RawBuilder<Period | null> {
  return sql`case when ${active_at} >= ${sinceOf.week} then 'week' when ${active_at} >= ${sinceOf.fortnight} then 'fortnight'
    when ${active_at} >= ${sinceOf.month} then 'month' end`;
}
