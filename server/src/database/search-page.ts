import { hash } from 'node:crypto';
import { type Counts, type Period, readCounts } from './latest-hits.ts';

/** A part of a list: where it begins and how many rows it may have. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/**
 * A row of what the index of terms found, or the only one, which then has no id; the counts of all hits on all pages, as
 * `countsOfHits` writes them, and by which period this one is of the latest.
 */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { counts: string; latest: Period | null };

/** How far a walk goes: so many rows of the list, or up to this one and with it; to the end of the list where neither is given. */
export interface Bound<After> {
  steps?: number;
  until?: After;
}

/** How many hits may be sorted, and of which rows: of all, or of the latest by a period. */
export interface Reach {
  most: number;
  of: 'all' | Period;
}

/** How a list is searched by what no index has in its order. */
export interface Search<Row extends { id: unknown }, After> {
  /** The same text for the same search, whatever the part. */
  name: string;
  /** `isQuick`: it was when it was asked before. */
  ways(how: { isQuick: boolean }): Ways<Row, After>;
}

interface Ways<Row extends { id: unknown }, After> {
  /** Goes through the list itself and answers those that are meant. */
  walk(part: Part<After>, bound?: Bound<After>): Promise<Row[]>;
  /**
   * What the index of terms finds, in the order of the list; where there are more hits than `most`, one row that says so.
   * The latest are those that were active in the period in which the part begins or in the one before.
   */
  match(part: Part<After>, reach: Reach): Promise<Match<Row>[]>;
  positionOf(row: Row): After;
}

// Of 200,000 rows: what one in ten has is found in the first look; of what one in 35 has the look finds a quarter of a
// page, and the walk goes on; what is rarer, the index finds. A hit of it costs twice as much as a row of a walk to a known
// place, however few are shown. To ask for the latest of a month alone costs as much as 200 hits, of a week half as much: who
// asks again for what had many does so where they fill the page.
const look = { steps: 250 };
const promising = (count: number) => Math.max(7, count / 4);
const further = { steps: 8_000 };
const manyHits = 250;
// More hits than these are too many to be sorted.
const mostHits = 3_000;

/** How a search was answered last. */
interface Known<After> {
  by: 'walk' | Reach['of'];
  isQuick: boolean;
  /** For so many pages. */
  times: number;
  /**
   * Where its first page ended. A walk that is bounded by a place passes over what is not meant in the index itself, where
   * counted steps hand on each row: that takes twice as long.
   */
  until: After | undefined;
}

// By the hash of the search's name: for its next page, and for the next who asks, nothing has to be tried. What no longer
// holds costs time once, no row.
const searches = new Map<string, Known<unknown>>();
const mostSearches = 1_000;
// What was rare may be frequent by now, and have a shorter way that is not known: after so many pages all is tried again.
const mostTimes = 1_000;
// Longer than a quick one takes behind others on busy cores, and no longer than others can wait for it.
const quickMs = 100;

/** The first rows of a part that are meant, found in the way that costs least. */
export async function searchPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  search: Search<Row, After>,
): Promise<Row[]> {
  // A longer page ends elsewhere.
  const name = hash('sha256', `${part.count} ${search.name}`, 'base64url');
  const last = searches.get(name) as Known<After> | undefined;
  const known = last && last.times < mostTimes ? last : undefined;
  const ways = search.ways({ isQuick: known?.isQuick ?? false });
  const start = performance.now();
  const { rows, by } = await findPage(part, ways, known);
  const isQuick = performance.now() - start < quickMs;
  const end = rows.length < part.count ? undefined : ways.positionOf(rows.at(-1)!);
  const until = part.after === undefined ? end : known?.until;
  remember(name, { by, isQuick, until, times: (known?.times ?? 0) + 1 });
  return rows;
}

interface Found<Row> extends Pick<Known<unknown>, 'by'> {
  rows: Row[];
}

async function findPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  ways: Ways<Row, After>,
  known: Known<After> | undefined,
): Promise<Found<Row>> {
  if (known === undefined || known.by === 'walk') {
    const rows = await walkPage(part, ways, known);
    if (rows) return { by: 'walk', rows };
  }
  const told = known && known.by !== 'walk' ? known.by : undefined;
  const ask = async (of: Reach['of']) => {
    const matches = await ways.match(part, { most: mostHits, of });
    const rows = matches.filter(isRow);
    const counts = readCounts(matches[0]!.counts);
    // A page further back says nothing of the first one.
    const by = told && part.after !== undefined ? told : wayTo(matches[part.count - 1]?.latest, counts, of);
    return { by, rows, isFull: rows.length >= part.count, counts };
  };
  // Where the latest leave room, others may belong on the page.
  if (told !== undefined && told !== 'all') {
    const latest = await ask(told);
    if (latest.isFull) return latest;
  }
  const all = await ask('all');
  if (all.counts.all <= mostHits) return all;
  if (told !== 'month' && isTelling('month', all.counts)) {
    const latest = await ask('month');
    if (latest.isFull) return latest;
  }
  return { by: 'walk', rows: await ways.walk(part) };
}

/** How a page is asked for again that was found among these and ended with a row that is of the latest by this period. */
function wayTo(last: Period | null | undefined, counts: Counts, of: Reach['of']): Reach['of'] {
  if (!last || (of === 'all' && counts.all <= manyHits)) return of;
  return isTelling(last, counts) ? last : of;
}

/** Where half of those that were found are of the latest, to tell these apart only costs time. */
function isTelling(period: Period, counts: Counts): boolean {
  return counts[period] <= counts.all / 2;
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & Match<Row> {
  return match.id !== null;
}

/** Undefined where the walk would be long. `known`: a walk answered this search before. */
async function walkPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  { walk, positionOf }: Ways<Row, After>,
  known: Known<After> | undefined,
): Promise<Row[] | undefined> {
  if (part.after === undefined && known?.until !== undefined) {
    const again = await walk(part, { until: known.until });
    if (again.length >= part.count) return again;
  }
  const first = await walk(part, known ? further : look);
  if (first.length >= part.count) return first;
  if (known || first.length < promising(part.count)) return undefined;
  const rest = { after: positionOf(first.at(-1)!), count: part.count - first.length };
  const more = await walk(rest, further);
  return more.length >= rest.count ? [...first, ...more] : undefined;
}

function remember(name: string, known: Known<unknown>): void {
  if (!searches.has(name) && searches.size >= mostSearches) searches.delete(searches.keys().next().value!);
  searches.set(name, known);
}
