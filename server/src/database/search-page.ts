import { type RawBuilder, sql } from 'kysely';

/** A page of a list that is searched: where it begins and how many rows it may have. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/** A match with the number of all matches up to `mostMatches` + 1, or the only row where no match is shown. */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { matches: number };

/** Two ways to the same rows. */
export interface SearchWays<Row extends { id: unknown }> {
  /** Reads the list in its order, `most` rows at most, and keeps those that meet the filter. */
  scan(most?: number): Promise<Row[]>;
  /** Reads all matches by the index and sorts them. */
  match(): Promise<Match<Row>[]>;
}

// In units of processor time: to read a row of the list costs 1, to sort a match 1.3. Of 200,000 rows, a term that one in 100
// has costs the same in both ways.
const scanLengths = [500, 4_000];
export const mostMatches = 2_000;

/**
 * The latest rows first: a frequent term fills its page from them, and no index has its matches in the order of the list. A term
 * that does not is rare, and its matches are sorted; or it is frequent further back, and the scan goes on. The planner cannot
 * choose, as it presumes that matches are spread evenly.
 */
export async function searchPage<Row extends { id: unknown }>(count: number, ways: SearchWays<Row>): Promise<Row[]> {
  for (const [index, length] of scanLengths.entries()) {
    const rows = await ways.scan(length);
    if (rows.length >= count) return rows;
    const next = scanLengths[index + 1] ?? 0;
    if (rows.length * next < count * length) break;
  }
  const found = await ways.match();
  return found[0]!.matches > mostMatches ? ways.scan() : found.filter(isRow);
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & Match<Row> {
  return match.id !== null;
}

export type SqlCondition = RawBuilder<boolean>;

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
