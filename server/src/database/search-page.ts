import { hash } from 'node:crypto';

/** A part of a list: where it begins and how many rows it may have. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/** A row of what the index of terms found, or the only one, which then has no id. */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { too_many: boolean };

/** How a list is searched by what no index has in its order. */
export interface Search<Row extends { id: unknown }, After> {
  /** The same text for the same search, whatever the part. */
  name: string;
  /** Goes through the list itself, so many rows of it or else to its end, and answers those that are meant. */
  walk(part: Part<After>, steps?: number): Promise<Row[]>;
  /** What the index of terms finds, in the order of the list; one row that says so where that is too much to be sorted. */
  match(part: Part<After>): Promise<Match<Row>[]>;
  positionOf(row: Row): After;
}

// A walk costs 0.5 to 1 µs a row, a match 2 to 6. So of 200,000 rows: what one in ten has is found in the first look; what
// one in a hundred has, of which the look finds some, by the walk; what is rarer, by the index. Of what one in 400 has, the
// look sends one search in forty on a walk in vain.
const look = 250;
const promising = 3;
const furtherSteps = 8_000;

// How a search was answered last, by the hash of its name: for its next page, and for the next who asks, nothing has to be
// tried. What no longer holds costs time once, no row.
const ways = new Map<string, 'walk' | 'match'>();
const mostWays = 1_000;

/** The first rows of a part that are meant, found in the way that costs least. */
export async function searchPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  search: Search<Row, After>,
): Promise<Row[]> {
  const name = hash('sha256', search.name, 'base64url');
  const way = ways.get(name);
  const walked = way === 'match' ? undefined : await walkPage(part, search, way === 'walk');
  if (walked) return remember('walk', name, walked);
  const matches = await search.match(part);
  if (!matches[0]?.too_many) return remember('match', name, matches.filter(isRow));
  return remember('walk', name, await search.walk(part));
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & { too_many: boolean } {
  return match.id !== null;
}

/** Undefined where the walk would be long. `isKnown`: a walk answered this search before, so it needs no look first. */
async function walkPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  { walk, positionOf }: Search<Row, After>,
  isKnown: boolean,
): Promise<Row[] | undefined> {
  const first = await walk(part, isKnown ? furtherSteps : look);
  if (first.length >= part.count) return first;
  if (isKnown || first.length < promising) return undefined;
  const rest = { after: positionOf(first.at(-1)!), count: part.count - first.length };
  const further = await walk(rest, furtherSteps);
  return further.length >= rest.count ? [...first, ...further] : undefined;
}

function remember<Row>(way: 'walk' | 'match', name: string, rows: Row[]): Row[] {
  if (ways.get(name) === way) return rows;
  if (ways.size >= mostWays) ways.delete(ways.keys().next().value!);
  ways.set(name, way);
  return rows;
}
