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

/** The table `begun`: the week in which the moment `at` is. Weeks are counted, in UTC; `week_of` of the database counts them. */
export function begunAt(at: RawBuilder<Date>): RawBuilder<unknown> {
  return sql`begun as materialized (select week_of(begin.at) as week from (select ${at} as at offset 0) begin)`;
}

/** How many weeks, with the one in which the part begins, reach to what was active at that moment. */
export function weeksTo(active_at: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select week from begun) - week_of(${active_at}) + 1`;
}

/** The first of so many weeks, of which the last is the one in which the part begins. */
const firstOf = (weeks: number) => sql`(select week from begun) - ${weeks - 1}::integer`;

// As in the function contact_terms of the database: what is shorter is not indexed by the week.
const leastLetters = 4;
// Of a long text the first words tell.
const mostTelling = 4;

interface Held {
  workspace_id: string;
  /** The terms that a row holds, as its index has them. */
  held: RawBuilder<unknown>;
  /** The kind of term by which the rows say in which week they were active. */
  kept_as: 'tag' | 'channel_type';
}

// A row of which not all terms are indexed says so: it may hold any.
const more = '\u001fmore';

/** Whether a row holds all `terms`, as far as its index tells; where so many weeks are given, of what was active in these. */
export function holdsTerms(terms: readonly string[], weeks: number | undefined, of: Held): RawBuilder<boolean> {
  const { workspace_id, held, kept_as } = of;
  if (weeks === undefined) {
    const [all, hasMore] = [terms, [more]].map(
      (terms) => sql`${held} @> hash_terms(${workspace_id}::uuid, ${terms}::text[])`,
    );
    return sql<boolean>`(${all} or ${hasMore})`;
  }
  const hash = (term: RawBuilder<unknown>, ...ofWeek: RawBuilder<unknown>[]) =>
    sql`hash_term(${sql.join([sql`${workspace_id}::uuid`, term, ...ofWeek])})`;
  const holdsAny = (hashes: RawBuilder<unknown>) => sql<boolean>`${held} && (${hashes} || ${hash(sql.lit(more))})`;
  const ofWeeks = (hash: RawBuilder<unknown>) =>
    holdsAny(sql`array(select ${hash} from generate_series(${firstOf(weeks)}, (select week from begun)) as week)`);
  const telling = terms.filter((term) => [...term].length >= leastLetters).slice(0, mostTelling);
  const short = terms.filter((term) => [...term].length < leastLetters);
  const conditions = [
    ...short.map((term) => holdsAny(sql`array[${hash(sql`${term}::text`)}]`)),
    ...telling.map((term) => ofWeeks(hash(sql`${term}::text`, sql`week_mark(week)`))),
    ...(telling.length > 0 ? [] : [ofWeeks(hash(sql`${sql.lit(`\u001f${kept_as} `)} || week_mark(week)`))]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** A term may be the same of two texts, and of a row that is long not all are indexed: when it was active tells. */
export function sinceWeeks(active_from: RawBuilder<unknown>, weeks: number): RawBuilder<boolean> {
  return sql<boolean>`${active_from} >= start_of_week(${firstOf(weeks)})`;
}
