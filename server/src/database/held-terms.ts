import { type RawBuilder, sql } from 'kysely';
import { firstOf, lastWeek } from './latest-hits.ts';

/** An index of terms, of the rows of some workspace. */
export interface TermIndex {
  workspace_id: string;
  /** What it indexes: the terms that a row holds, as `contact_terms` of the database makes them. */
  held: RawBuilder<unknown>;
  /** The kind of term by which a row says in which week it was active. */
  kept_as: 'tag' | 'channel_type';
}

type Condition = RawBuilder<boolean>;

// As in the function `contact_terms` of the database: what is shorter is not indexed by the week.
const leastLetters = 4;
// Of a long text the first words tell.
const mostTelling = 4;
// A row of which not all terms are indexed says so: it may hold any.
const more = '\u001fmore';

/**
 * Whether a row holds all `terms`, as far as the index tells: two may have the same hash, and of a row that is long not all are
 * indexed. Where so many weeks are given, of what was active in these.
 */
export function holdsTerms(index: TermIndex, terms: readonly string[], weeks: number | undefined): Condition {
  return weeks === undefined ? holdsEver(index, terms) : holdsInWeeks(index, terms, weeks);
}

function holdsEver({ workspace_id, held }: TermIndex, terms: readonly string[]): Condition {
  const holdsAll = (terms: readonly string[]) => sql`${held} @> hash_terms(${workspace_id}::uuid, ${terms}::text[])`;
  return sql<boolean>`(${holdsAll(terms)} or ${holdsAll([more])})`;
}

/** Of each term that tells something there is one in the index for each week. */
function holdsInWeeks(index: TermIndex, terms: readonly string[], weeks: number): Condition {
  const isTelling = (term: string) => [...term].length >= leastLetters;
  const telling = terms.filter(isTelling).slice(0, mostTelling);
  const ofWeek = (hash: RawBuilder<unknown>) =>
    holdsAny(index, sql`array(select ${hash} from generate_series(${firstOf(weeks)}, ${lastWeek}) as week)`);
  const wasActive = ofWeek(hashOf(index, sql`${sql.lit(`\u001f${index.kept_as} `)} || week_mark(week)`));
  const conditions = [
    ...terms
      .filter((term) => !isTelling(term))
      .map((term) => holdsAny(index, sql`array[${hashOf(index, sql`${term}::text`)}]`)),
    ...telling.map((term) => ofWeek(hashOf(index, sql`${term}::text`, sql`week_mark(week)`))),
    ...(telling.length > 0 ? [] : [wasActive]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function holdsAny(index: TermIndex, hashes: RawBuilder<unknown>): Condition {
  return sql<boolean>`${index.held} && (${hashes} || ${hashOf(index, sql.lit(more))})`;
}

/** A term as it is indexed, or with the mark of a week as it is of what was active in that week. */
function hashOf({ workspace_id }: TermIndex, ...termAndMark: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`hash_term(${sql.join([sql`${workspace_id}::uuid`, ...termAndMark])})`;
}
