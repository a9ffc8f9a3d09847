import { hash } from 'node:crypto';

/** A part of a list: where it begins and how many rows it may have. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/** A row of what the index of terms found, or the only one, which then has no id. */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { too_many: boolean };

/** How far a walk goes: so many rows of the list, or up to this one and with it. */
export type Bound<After> = { steps: number } | { until: After };

/** How a list is searched by what no index has in its order. */
export interface Search<Row extends { id: unknown }, After> {
  /** The same text for the same search, whatever the part. */
  name: string;
  /** Goes through the list itself, to its end where nothing bounds it, and answers those that are meant. */
  walk(part: Part<After>, bound?: Bound<After>): Promise<Row[]>;
  /** What the index of terms finds, in the order of the list; one row that says so where that is too much to be sorted. */
  match(part: Part<After>): Promise<Match<Row>[]>;
  positionOf(row: Row): After;
}

// A walk costs 0.5 to 1 µs a row, a match 2 to 6. So of 200,000 rows: what one in ten has is found in the first look; what
// one in a hundred has, of which the look finds some, by the walk; what is rarer, by the index. Of what one in 400 has, the
// look sends one search in forty on a walk in vain.
const look = { steps: 250 };
const promising = 3;
const further = { steps: 8_000 };

/**
 * How a search was answered last. `until`: where a first page ended. A walk that is bounded by a place passes over what is
 * not meant in the index itself, where counted steps hand on each row: that takes twice as long.
 */
interface Way<After> {
  by: 'walk' | 'match';
  until?: After | undefined;
}

// By the hash of the search's name: for its next page, and for the next who asks, nothing has to be tried. What no longer
// holds costs time once, no row.
const ways = new Map<string, Way<unknown>>();
const mostWays = 1_000;

/** The first rows of a part that are meant, found in the way that costs least. */
export async function searchPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  search: Search<Row, After>,
): Promise<Row[]> {
  const name = hash('sha256', `${part.count} ${search.name}`, 'base64url');
  const way = ways.get(name) as Way<After> | undefined;
  const walked = way?.by === 'match' ? undefined : await walkPage(part, search, way);
  if (walked) return rememberWalk(walked);
  const matches = await search.match(part);
  if (matches[0]?.too_many) return rememberWalk(await search.walk(part));
  remember(name, { by: 'match' });
  return matches.filter(isRow);

  function rememberWalk(rows: Row[]): Row[] {
    const end = rows.length < part.count ? undefined : search.positionOf(rows.at(-1)!);
    remember(name, { by: 'walk', until: part.after === undefined ? end : way?.until });
    return rows;
  }
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & { too_many: boolean } {
  return match.id !== null;
}

/** Undefined where the walk would be long. `way`: by which a walk answered this search before. */
async function walkPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  { walk, positionOf }: Search<Row, After>,
  way: Way<After> | undefined,
): Promise<Row[] | undefined> {
  if (part.after === undefined && way?.until !== undefined) {
    const again = await walk(part, { until: way.until });
    if (again.length >= part.count) return again;
  }
  const first = await walk(part, way ? further : look);
  if (first.length >= part.count) return first;
  if (way || first.length < promising) return undefined;
  const rest = { after: positionOf(first.at(-1)!), count: part.count - first.length };
  const more = await walk(rest, further);
  return more.length >= rest.count ? [...first, ...more] : undefined;
}

function remember(name: string, way: Way<unknown>): void {
  if (!ways.has(name) && ways.size >= mostWays) ways.delete(ways.keys().next().value!);
  ways.set(name, way);
}
