import { type RawBuilder, sql } from 'kysely';

/** The beginning and the size of a page of a searched list. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/** A match with the number of all matches up to `mostMatches` + 1. The id is null in the only row if no match is shown. */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { matches: number };

/** Two ways to read the same rows. */
export interface SearchWays<Row extends { id: unknown }> {
  /** Reads up to `most` rows in the order of the list, and keeps those that meet the filter. */
  scan(most?: number): Promise<Row[]>;
  /** Reads all matches by the index and sorts them. */
  match(): Promise<Match<Row>[]>;
}

// To scan a row costs 1 unit of processor time, to sort a match 1.3. Among 200,000 rows both ways cost the same for a term that
// one row in 100 contains.
const scanLengths = [500, 4_000];
// Where the latest rows lack a frequent term. A limited scan stops at a full page; without a limit, the planner sorts all rows.
const longScanLengths = [32_000, 256_000];
export const mostMatches = 2_000;

/**
 * Scans the latest rows first: they fill the page of a frequent term, and no index has the matches in the order of the list. The
 * matches of a rare term are sorted. If there are too many, the term is frequent among older rows, and the scan continues. The
 * planner cannot choose between them, because it presumes that matches are spread evenly.
 */
export async function searchPage<Row extends { id: unknown }>(count: number, ways: SearchWays<Row>): Promise<Row[]> {
  for (const [index, length] of scanLengths.entries()) {
    const rows = await ways.scan(length);
    if (rows.length >= count) return rows;
    const next = scanLengths[index + 1] ?? 0;
    if (rows.length * next < count * length) break;
  }
  const found = await ways.match();
  if (found[0]!.matches <= mostMatches) return found.filter(isRow);
  for (const length of longScanLengths) {
    const page = await ways.scan(length);
    if (page.length === count) return page;
  }
  return ways.scan();
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & Match<Row> {
  return match.id !== null;
}

export type SqlCondition = RawBuilder<boolean>;

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
